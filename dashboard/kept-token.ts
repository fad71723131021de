/**
 * The token of a link is in the URL fragment, which browsers do not send. Signing in first would lose it, so it is kept in
 * the session storage of the tab until then.
 */
export function keptToken(name: string) {
	return {
		read(): string {
			const token = new URLSearchParams(location.hash.slice(1)).get('token');
			if (token !== null) return token;
			try {
				return sessionStorage.getItem(name) ?? '';
			} catch {
				return '';
			}
		},
		keep(token: string): void {
			try {
				sessionStorage.setItem(name, token);
			} catch {
				// Without storage the link must be opened again after signing in.
			}
		},
		forget(): void {
			try {
				sessionStorage.removeItem(name);
			} catch {
				// Then nothing was kept.
			}
		},
	};
}
