/**
 * Stops the server when its service has died without stopping it. A shell reads from a pipe that the service holds
 * open: when the pipe closes while the server still runs, the service was killed. The next service waits for the
 * previous watchdog, so it never adopts a server that is about to be stopped.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFile, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { attempt, type PostgresFailed } from "./PostgresFailed.ts"
import type { PostgresHome } from "./PostgresHome.ts"
import * as RunningProcess from "./RunningProcess.ts"

/** The line that a service writes to its watchdog once it has stopped the server itself. */
const stopped = "stopped"

// Fast shutdown first; SIGQUIT after six seconds loses nothing committed either. Process ids are recycled, so the
// command line is checked. A service may be killed just after it has spawned the server, before the server has written
// its pid file: without the line `stopped`, the watchdog looks for that file for three seconds.
const script = `
data=$1
trap '' INT TERM HUP
tries=30
while read -r line; do [ "$line" = ${stopped} ] && tries=0; done
command() { if [ -r "/proc/$pid/cmdline" ]; then tr '\\0' ' ' <"/proc/$pid/cmdline"; else ps -ww -o command= -p "$pid"; fi 2>/dev/null; }
serves() { [ -n "$pid" ] && command | grep -qF -- "postgres -D $data "; }
while pid=$(head -n 1 "$data/postmaster.pid" 2>/dev/null); ! serves; do
  [ "$tries" -gt 0 ] || exit 0
  tries=$((tries - 1))
  sleep 0.1
done
kill -INT "$pid"
tries=0
while serves; do
  tries=$((tries + 1))
  [ "$tries" -eq 60 ] && kill -QUIT "$pid"
  [ "$tries" -ge 200 ] && exit 1
  sleep 0.1
done
`

const noteOf = (home: PostgresHome) => join(dirname(home.log), "watchdog.pid")

/** Waits for the watchdog of a killed service, which may be stopping its server. */
const awaitPrevious = (home: PostgresHome) =>
  Effect.gen(function*() {
    const text = yield* Effect.orElseSucceed(Effect.tryPromise(() => readFile(noteOf(home), "utf8")), () => "")
    const previous = /^\d+$/.test(text) ? yield* RunningProcess.find(Number(text)) : undefined
    if (previous?.command.includes(home.data) === true) yield* RunningProcess.awaitGone(previous, "30 seconds")
  })

/**
 * Runs the watchdog until the scope closes. Start it before the server, so that it outlives the server in the scope.
 */
export const start = (home: PostgresHome): Effect.Effect<void, PostgresFailed, Scope.Scope> =>
  Effect.gen(function*() {
    yield* awaitPrevious(home)
    yield* Effect.acquireRelease(
      attempt("start its watchdog", async () => {
        // Detached: a signal to our process group must not end the watchdog.
        const child = spawn("/bin/sh", ["-c", script, "sh", home.data], {
          ...home.account,
          cwd: "/",
          env: { PATH: "/usr/local/bin:/usr/bin:/bin" },
          detached: true,
          stdio: ["pipe", "ignore", "ignore"]
        })
        child.stdin.on("error", () => {})
        const exited = once(child, "exit")
        await once(child, "spawn")
        child.unref()
        await writeFile(noteOf(home), String(child.pid))
        return { child, exited }
      }),
      ({ child, exited }) =>
        Effect.sync(() => child.stdin.end(`${stopped}\n`)).pipe(
          Effect.andThen(Effect.timeoutOption(Effect.promise(() => exited), "10 seconds"))
        )
    )
  })
