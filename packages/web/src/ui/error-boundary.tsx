import { Component, type ReactNode } from 'react';
import { loadFault, reload } from './lazy-component.ts';
import { PageError } from './page-error.tsx';

type Props = {
  children: ReactNode;
  /** Calls back when the service answers again; returns a function that cancels it. */
  onServiceBack: (listener: () => void) => () => void;
};

const isLoadFault = (fault: string): boolean => /dynamically imported module|module script/i.test(fault);

/** Shows an error in place of the part that failed; everything around it keeps working. */
export class ErrorBoundary extends Component<Props, { fault: string | null }> {
  override state: { fault: string | null } = { fault: null };
  #stopWaiting: (() => void) | undefined;

  static getDerivedStateFromError(error: unknown): { fault: string } {
    return { fault: error instanceof Error ? error.message : String(error) };
  }

  /** Browsers do not retry a module that failed to load, so the whole page is reloaded. */
  override componentDidMount(): void {
    this.componentDidUpdate();
  }

  override componentDidUpdate(): void {
    if (this.state.fault !== null && isLoadFault(this.state.fault))
      this.#stopWaiting ??= this.props.onServiceBack(reload);
  }

  override componentWillUnmount(): void {
    this.#stopWaiting?.();
  }

  override render(): ReactNode {
    const { fault } = this.state;
    if (fault === null) return this.props.children;
    if (isLoadFault(fault)) return <PageError status={0} message={loadFault} onRetry={reload} />;
    return (
      <PageError status={500} message={`This page failed: ${fault}. The service is not affected.`} onRetry={reload} />
    );
  }
}
