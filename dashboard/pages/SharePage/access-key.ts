export const accessKey = (id: number) => ['access', id] as const;
