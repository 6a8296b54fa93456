/** Addresses of clients, as parameters name them. */

/** An address or a block of addresses (CIDR), by its characters. */
export const addressOrBlock = /^(\d{1,3}(\.\d{1,3}){3}(\/\d{1,2})?|[0-9a-f:]*:[0-9a-f:.]*(\/\d{1,3})?)$/i
