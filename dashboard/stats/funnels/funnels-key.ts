/** The cache entry of a website's funnels. */
export const funnelsKey = (website: number) => ['funnels', website] as const;
