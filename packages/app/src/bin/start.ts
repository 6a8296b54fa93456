/** `npm start`: the whole service in one process. */
import { main } from "../Main.ts"
import { OneProcess } from "../SingleProcess.ts"

main(OneProcess, "vault-trader")
