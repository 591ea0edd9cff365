import { KeyRound, LogIn } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { addressOf, call } from '../live/call.ts';
import { connection } from '../live/connection.ts';
import { asProblem, type Problem } from '../live/problem.ts';
import { queryClient } from '../live/query-client.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { arrive, giveFocusBack } from '../ui/place.ts';
import { Logo } from './logo.tsx';

/** Shown over an open page, so that nothing typed in it is lost. */
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

type Options = Awaited<ReturnType<typeof signInOptions>>;
const signInOptions = () => call('sign_in_options', {});

/**
 * Signing in at the company's provider if there is one, otherwise with a token; in both cases only a cookie that
 * scripts cannot read is stored.
 */
function LoginForm({ again }: { again: () => Promise<void> }) {
  const [options, setOptions] = useState<Options | null>(null);
  useEffect(() => {
    // An earlier service has no providers.
    signInOptions().then(setOptions, () => setOptions({ provider: null }));
  }, []);
  if (!options) return null;
  return (
    <div className="panel flex w-full max-w-[380px] flex-col gap-4 p-6">
      <div className="flex items-center gap-2.5">
        <Logo />
        <h1 className="font-[650] text-lg">Signalbox</h1>
      </div>
      {options.refused !== undefined && (
        <Notice tone="fail" role="alert">
          {options.refused}
        </Notice>
      )}
      {options.provider === null ? (
        <TokenForm again={again} />
      ) : (
        <>
          <p className="text-fg-2">This service asks who you are. You sign in at {options.provider}.</p>
          <Button
            kind="primary"
            icon={LogIn}
            autoFocus
            className="justify-center"
            onClick={() => location.assign(signInAddress())}
          >
            Sign in
          </Button>
          <details className="text-fg-2">
            <summary className="cursor-pointer rounded text-sm hover:text-fg">Use a token instead</summary>
            <div className="mt-4">
              <TokenForm again={again} beside />
            </div>
          </details>
        </>
      )}
    </div>
  );
}

const signInAddress = (): string =>
  addressOf('start_sign_in', { to: location.pathname + location.search + location.hash });

/** Asks for the token once. */
function TokenForm({ again, beside = false }: { again: () => Promise<void>; beside?: boolean }) {
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
    <form onSubmit={submit} className="flex flex-col gap-4">
      <p className="text-fg-2">
        {beside ? 'Give' : 'This service requires sign-in: enter'} your own token, or the value of{' '}
        <code className="font-mono text-code">Service:Token</code> on the machine it runs on.
      </p>
      <TextField
        label="Token"
        type="password"
        autoFocus={!beside}
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
      <Button
        kind={beside ? 'plain' : 'primary'}
        type="submit"
        icon={KeyRound}
        disabled={busy || token === ''}
        className="justify-center"
      >
        Open
      </Button>
    </form>
  );
}
