import { SignpostBig } from 'lucide-react';
import { paths } from '../paths.ts';
import { ButtonLink } from '../ui/button.tsx';
import { EmptyState } from '../ui/page.tsx';

export function NotFound() {
  return (
    <EmptyState icon={SignpostBig} title="There is no such page" isWholePage>
      <p>The address may be from another version. Everything is reachable from the navigation, or with Ctrl K.</p>
      <div>
        <ButtonLink href={paths.start}>Go to the start</ButtonLink>
      </div>
    </EmptyState>
  );
}
