import { SignpostBig } from 'lucide-react';
import { ButtonLink } from '../ui/button.tsx';
import { EmptyState } from '../ui/page.tsx';

export function NotFound() {
  return (
    <EmptyState icon={SignpostBig} title="There is no such page" isWholePage>
      <p>The address may be from another version. Everything is reachable from the navigation, or with Ctrl K.</p>
      <div>
        <ButtonLink href="/">Go to the start</ButtonLink>
      </div>
    </EmptyState>
  );
}
