/** The options that features read for themselves, as services: networks, origins, and the time limit of a request. */
import * as Layer from "effect/Layer"
import { Directory } from "./gate/ServedNetworks.ts"
import type { ServerOptions } from "./ServerOptions.ts"
import { Origin } from "./wire/Origin.ts"
import { RequestSeconds } from "./wire/RequestState.ts"

export const layer = ({ directory, origins = [], requestSeconds }: ServerOptions) =>
  Layer.mergeAll(
    Origin.layer(origins),
    Layer.succeed(Directory, directory),
    Layer.succeed(RequestSeconds, requestSeconds)
  )
