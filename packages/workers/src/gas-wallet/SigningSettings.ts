/** The settings of where the keys are, and who signs. */
import * as Setting from "@vault-trader/core/configuration/Setting"
import * as Config from "effect/Config"
import { defaultDays } from "./RecordWriter.ts"

export const signingSettings = {
  kekFile: Setting.optional({
    name: "KEK_FILE",
    description: "File of the key-encryption key: 64 hex characters, or several as lines of `v<number>:<64 hex " +
      "characters>`, of which the highest encrypts new secrets (`npm run rewrap`). Created on the first start; " +
      "required once the database holds wallets.",
    config: Config.String,
    shown: "DATA_DIR/kek"
  }),
  plannerKeyFile: Setting.optional({
    name: "PLANNER_KEY_FILE",
    description: "File of the key under which submissions are marked when they are planned (64 hex characters); what " +
      "is not marked is not signed. Created on the first start; all runners of a database need the same one.",
    config: Config.String,
    shown: "DATA_DIR/planner-key"
  }),
  signerSocket: Setting.optional({
    name: "SIGNER_SOCKET",
    description: "Unix socket of the signer that is a process of its own (`npm run signer`, which listens at " +
      "`DATA_DIR/signer/socket` without it). A runner with it holds no wallet's key and no signing record.",
    config: Config.String
  }),
  signerKekFile: Setting.optional({
    name: "SIGNER_KEK_FILE",
    description:
      "File of the key-encryption key of the wallets' keys, for `npm run signer` only; in the form of KEK_FILE.",
    config: Config.String,
    shown: "DATA_DIR/signer-kek"
  }),
  signingRecordDir: Setting.optional({
    name: "SIGNING_RECORD_DIR",
    description: "Folder of this process's signing record: the transactions that it has signed, kept outside " +
      "PostgreSQL. It must survive restarts, and no two processes may share it.",
    config: Config.String,
    shown: "DATA_DIR/signing-record"
  }),
  signingRecordDays: Setting.make({
    name: "SIGNING_RECORD_DAYS",
    description: "Days for which the transactions of the signing record are checked one by one. Of older ones only " +
      "the next nonce of each wallet is known; their files stay.",
    config: Setting.atLeast(1),
    fallback: defaultDays
  })
}
