/** From this amount on, the shop pays for the parcel. */
export const FREE_FROM = 8000;
const PARCEL = 490;

export function shippingFor(amount) {
  return amount >= FREE_FROM ? 0 : PARCEL;
}
