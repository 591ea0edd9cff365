import { KeyRound } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { call } from '../live/call.ts';
import { connection } from '../live/connection.ts';
import { asProblem, type Problem } from '../live/problem.ts';
import { queryClient } from '../live/query-client.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { arrive, giveFocusBack } from '../ui/place.ts';
import { Logo } from './logo.tsx';

/** Shown over a page that is already open, so that nothing typed in it is lost. */
export function LoginOver() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => giveFocusBack(before);
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-label="Sign in"
      // The page cannot be used without a token, and browsers close a dialog when Escape is pressed twice.
      onClose={() => dialog.current?.showModal()}
      className="m-auto w-full max-w-[412px] bg-transparent text-fg"
    >
      <LoginForm again={() => queryClient.invalidateQueries()} />
    </dialog>
  );
}

export function Login() {
  return (
    <main className="grid h-full place-items-center p-4">
      <LoginForm again={() => queryClient.resetQueries().then(() => void arrive())} />
    </main>
  );
}

/** Asks for the token once; the browser then keeps a cookie that no script can read. */
function LoginForm({ again }: { again: () => Promise<void> }) {
  const [token, setToken] = useState('');
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      await call('login', { token });
      connection.setState({ needsToken: false });
      await again();
    } catch (error) {
      setProblem(asProblem(error));
    }
    setBusy(false);
  };
  return (
    <form onSubmit={submit} className="panel flex w-full max-w-[380px] flex-col gap-4 p-6">
      <div className="flex items-center gap-2.5">
        <Logo />
        <h1 className="font-[650] text-lg">Signalbox</h1>
      </div>
      <p className="text-fg-2">
        This service asks who you are: give your own token, or the value of{' '}
        <code className="font-mono text-code">Service:Token</code> on the machine it runs on.
      </p>
      <TextField
        label="Token"
        type="password"
        autoFocus
        required
        {...(problem && { 'aria-invalid': true })}
        value={token}
        onChange={(event) => setToken(event.target.value)}
      />
      {problem && (
        <Notice tone="fail" role="alert">
          {problem.message}
        </Notice>
      )}
      <Button kind="primary" type="submit" icon={KeyRound} disabled={busy || token === ''} className="justify-center">
        Open
      </Button>
    </form>
  );
}
