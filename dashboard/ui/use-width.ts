import { type RefObject, useLayoutEffect, useState } from 'react';

/** How wide an element is, before it is painted and ever after; 0 until it is there. */
export function useWidth(of: RefObject<HTMLElement | null>): number {
	const [width, setWidth] = useState(0);
	useLayoutEffect(() => {
		const element = of.current;
		if (!element) return;
		setWidth(element.clientWidth);
		const observer = new ResizeObserver(() => setWidth(element.clientWidth));
		observer.observe(element);
		return () => observer.disconnect();
	}, [of]);
	return width;
}
