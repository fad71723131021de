import styles from './Skeleton.module.css';

/** Stands where something will be, in its size, so that nothing moves when it comes. */
export function Skeleton({ width = '100%', height = 16 }: { width?: number | string; height?: number }) {
	return <span className={styles.skeleton} style={{ width, height }} aria-hidden="true" />;
}
