import { type ReactNode, useEffect, useRef, useState } from 'react';

/** Renders its content once it comes near the viewport, so that nothing is fetched before. */
export function WhenVisible({ children }: { children: ReactNode }) {
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
