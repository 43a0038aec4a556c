import assert from "node:assert/strict";
import test from "node:test";
import { FREE_FROM, shippingFor } from "../src/shipping.js";

test("a small order pays for its parcel", () => assert.equal(shippingFor(1250), 490));
test("a large order ships for free", () => assert.equal(shippingFor(20_000), 0));
test("an order at the limit ships for free", () => assert.equal(shippingFor(FREE_FROM), 0));
