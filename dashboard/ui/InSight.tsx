import { type ReactNode, useEffect, useRef, useState } from 'react';

/** Draws what it holds once its place has come near the window: until then nothing of it is fetched or asked. */
export function InSight({ children }: { children: ReactNode }) {
	const place = useRef<HTMLDivElement>(null);
	const [isNear, setNear] = useState(false);
	useEffect(() => {
		if (isNear || !place.current) return undefined;
		const observer = new IntersectionObserver((entries) => {
			if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true);
		});
		observer.observe(place.current);
		return () => observer.disconnect();
	}, [isNear]);
	return isNear ? children : <div ref={place} />;
}
