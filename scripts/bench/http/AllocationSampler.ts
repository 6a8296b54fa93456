/**
 * Loaded into a process of the service before its own code: samples what its main thread allocates, and writes the
 * profile at SIGUSR2 to the file that `ALLOCATION_PROFILE` names. `ALLOCATION_KIND`: `kept` samples from the start and
 * leaves out what a collection has freed; `all` begins at a first SIGUSR2. No debugger's port is opened.
 */
import * as Fs from "node:fs"
import { Session } from "node:inspector/promises"
import { getHeapSpaceStatistics } from "node:v8"
import { isMainThread } from "node:worker_threads"
import type { Report } from "./AllocationProfile.ts"

const { ALLOCATION_KIND: kind, ALLOCATION_PROFILE: file } = process.env

/** Mean number of bytes between two samples. */
const samplingInterval = 8_192

const usage = () => ({ ...process.memoryUsage(), spaces: getHeapSpaceStatistics() })

if (isMainThread && file !== undefined) {
  const session = new Session()
  session.connect()
  const end = async () => {
    const before = usage()
    if (kind === "kept") await session.post("HeapProfiler.collectGarbage")
    const after = usage()
    const { profile } = await session.post("HeapProfiler.stopSampling")
    const report: Report = { profile, before, after }
    Fs.writeFileSync(`${file}.part`, JSON.stringify(report))
    Fs.renameSync(`${file}.part`, file)
  }
  const begin = async () => {
    const includes = kind === "all"
    await session.post("HeapProfiler.startSampling", {
      samplingInterval,
      includeObjectsCollectedByMajorGC: includes,
      includeObjectsCollectedByMinorGC: includes
    })
    process.once("SIGUSR2", () => void end())
    Fs.writeFileSync(`${file}.begun`, "")
  }
  if (kind === "kept") await begin()
  else process.once("SIGUSR2", () => void begin())
}
