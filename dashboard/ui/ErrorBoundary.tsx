import { Component, type ReactNode } from 'react';
import { Failure } from './States.tsx';

type Props = {
	/** Changing it resets the boundary. */
	resetKey: string;
	/** Layout around the message. */
	page?: (failure: ReactNode) => ReactNode;
	children: ReactNode;
};
type State = { error: unknown };

/** Shows a message when rendering fails. React supports this only as a class. */
export class ErrorBoundary extends Component<Props, State> {
	override state: State = { error: undefined };

	static getDerivedStateFromError(error: unknown): State {
		return { error };
	}

	override componentDidUpdate({ resetKey }: Props): void {
		if (resetKey !== this.props.resetKey && this.state.error !== undefined)
			this.setState({ error: undefined });
	}

	override render(): ReactNode {
		const { error } = this.state;
		if (error === undefined) return this.props.children;
		// A file that failed to load is requested again only after a reload.
		const failure = <Failure error={error} onTryAgain={() => location.reload()} />;
		return this.props.page?.(failure) ?? failure;
	}
}
