import { Component, type ReactNode } from 'react';
import { Trouble } from './trouble.tsx';

/** A part of the page that breaks says so in its own place; everything around it goes on. */
export class Boundary extends Component<{ children: ReactNode }, { fault: string | null }> {
  override state = { fault: null };

  static getDerivedStateFromError(error: unknown): { fault: string } {
    return { fault: error instanceof Error ? error.message : String(error) };
  }

  override render(): ReactNode {
    if (this.state.fault === null) return this.props.children;
    const again = () => location.reload();
    if (/dynamically imported module|module script/i.test(this.state.fault))
      return <Trouble status={0} message="This page could not be loaded: the service does not answer." again={again} />;
    const message = `This page broke: ${this.state.fault}. The service is not affected.`;
    return <Trouble status={500} message={message} again={again} />;
  }
}
