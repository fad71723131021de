import { Component, type ReactNode } from 'react';
import { Failure } from './States.tsx';

type Props = {
	/** What is shown here: with another, it is tried again. */
	at: string;
	/** Where a page stands around what is said. */
	page?: (failure: ReactNode) => ReactNode;
	children: ReactNode;
};
type State = { error: unknown };

/** Says that something could not be drawn, where React would leave nothing at all. React knows this only as a class. */
export class Boundary extends Component<Props, State> {
	override state: State = { error: undefined };

	static getDerivedStateFromError(error: unknown): State {
		return { error };
	}

	override componentDidUpdate({ at }: Props): void {
		if (at !== this.props.at && this.state.error !== undefined) this.setState({ error: undefined });
	}

	override render(): ReactNode {
		const { error } = this.state;
		if (error === undefined) return this.props.children;
		// A file that did not come is asked for again when the page is loaded anew, and not before.
		const failure = <Failure error={error} onTryAgain={() => location.reload()} />;
		return this.props.page?.(failure) ?? failure;
	}
}
