import { SignpostBig } from 'lucide-react';
import { paths } from '../paths.ts';
import { ButtonLink } from '../ui/button.tsx';
import { EmptyState } from '../ui/page.tsx';

export function NotFound() {
  return (
    <EmptyState icon={SignpostBig} title="Page not found" isWholePage>
      <p>The address may be from another version. Use the sidebar or Ctrl K.</p>
      <div>
        <ButtonLink href={paths.start}>Go to the start page</ButtonLink>
      </div>
    </EmptyState>
  );
}
