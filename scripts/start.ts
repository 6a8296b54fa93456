/** `npm start`: the whole service in one process. */
import { main } from "./Main.ts"
import { OneProcess } from "./OneProcess.ts"

main(OneProcess, "vault-trader")
