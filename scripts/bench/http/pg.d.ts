/** The part of node-postgres that the peer uses; the package has no types of its own. */
declare module "pg" {
  interface PoolConfig {
    readonly host: string
    readonly user: string
    readonly database: string
    readonly max: number
  }
  interface Statement {
    /** With a name the statement is prepared once for each connection. */
    readonly name?: string
    readonly text: string
    readonly values?: ReadonlyArray<unknown>
  }
  export class Pool {
    constructor(config: PoolConfig)
    query<Row>(statement: Statement): Promise<{ readonly rows: ReadonlyArray<Row> }>
    end(): Promise<void>
  }
}
