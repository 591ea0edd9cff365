import { Component, type ReactNode } from 'react';
import { PageError } from './page-error.tsx';

/** Shows an error in place of the part that broke; everything around it keeps working. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { fault: string | null }> {
  override state = { fault: null };

  static getDerivedStateFromError(error: unknown): { fault: string } {
    return { fault: error instanceof Error ? error.message : String(error) };
  }

  override render(): ReactNode {
    if (this.state.fault === null) return this.props.children;
    const again = () => location.reload();
    if (/dynamically imported module|module script/i.test(this.state.fault))
      return (
        <PageError status={0} message="This page could not be loaded: the service does not answer." onRetry={again} />
      );
    const message = `This page broke: ${this.state.fault}. The service is not affected.`;
    return <PageError status={500} message={message} onRetry={again} />;
  }
}
