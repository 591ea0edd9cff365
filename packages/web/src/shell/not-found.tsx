import { SignpostBig } from 'lucide-react';
import { ButtonLink } from '../ui/button.tsx';
import { Empty } from '../ui/page.tsx';

export function NotFound() {
  return (
    <Empty icon={SignpostBig} title="There is no such page" whole>
      <p>The address may be from another version. Everything is reachable from the navigation, or with Ctrl K.</p>
      <div>
        <ButtonLink href="/">Go to the start</ButtonLink>
      </div>
    </Empty>
  );
}
