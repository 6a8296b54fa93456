/** Corrections of charges that a payment covers: a reorg of final blocks has changed what their intent has done. */
export const chargeCorrectionSchema: ReadonlyArray<string> = [
  // A correction is negative when the charged action has been taken back, and positive when it was executed after all.
  `alter table charges add column corrects uuid references intents (id)`,
  `alter table charges drop constraint charges_usd_check`,
  `alter table charges add constraint charges_usd_check check (usd >= 0 or corrects is not null)`,
  `alter table charges add constraint charges_corrections_named check (corrects is null or reference is not null)`,
  `create index charges_corrections on charges (corrects) where corrects is not null`,
  // Charges and corrections that were converted at different prices: their sum may be positive in wei, not in USD.
  `alter table settlements drop constraint settlements_usd_check`
]
