/** Notification channels that send to browsers. */
export const pushChannelSchema: ReadonlyArray<string> = [
  `alter table notification_channels drop constraint notification_channels_kind_check`,
  `alter table notification_channels add constraint notification_channels_kind_check
    check (kind in ('telegram', 'discord', 'slack', 'email', 'ntfy', 'http', 'push'))`
]
