"""Recomputes the books of stores from the answers of a service, and says where they differ.

Usage: python3 books.py ANSWERS.json. The file holds the answers as they came over HTTP: orders, closed days and a statement of
each store, and the events of payments. It ends with 0 when all agree to the penny, and else prints each difference and ends
with 1. Only the standard library is used, and no code of the service.
"""

import hashlib
import json
import sys
from collections import defaultdict


def largest_remainder(amount, weights):
    """Shares an amount among weights in whole units."""
    whole = sum(weights)
    if whole == 0:
        return [0 for _ in weights]
    shares = [amount * weight // whole for weight in weights]
    rest = sorted(range(len(weights)), key=lambda i: (-(amount * weights[i] % whole), i))
    for i in rest[: amount - sum(shares)]:
        shares[i] += 1
    return shares


def half_up(numerator, denominator):
    return (2 * numerator + denominator) // (2 * denominator)


class Parts:
    """The parts of an order's money: of goods and their tax by rate, of fees, tip and the platform."""

    def __init__(self):
        self.goods, self.fees, self.tip, self.platform_discount = defaultdict(int), 0, 0, 0

    def vat(self):
        taxes = {}
        for rate, gross in self.goods.items():
            net = half_up(gross * 10000, 10000 + rate)
            taxes[rate] = (net, gross - net)
        return taxes


class Line:
    """Units of one item: their tax, the price of one before discounts, their cost to the customer and worth to the store."""

    def __init__(self, rate, units, price, cost, worth):
        self.rate, self.units, self.price, self.cost, self.worth = rate, units, price, cost, worth
        self.taken, self.taken_cost, self.taken_worth, self.by_units = 0, 0, 0, True


def lines_of(order):
    totals = [line["total"]["amount"] for line in order["lines"]]
    discounts = [(each["funded_by"], each["amount"]["amount"]) for each in order["discounts"]]
    every = largest_remainder(sum(amount for _, amount in discounts), totals)
    own = largest_remainder(sum(amount for by, amount in discounts if by == "store"), totals)
    return {
        line["line_id"]: Line(
            line["tax_rate_bps"], line["quantity"], total // line["quantity"], total - all_of_it, total - stores
        )
        for line, total, all_of_it, stores in zip(order["lines"], totals, every, own)
    }


def take(lines, adjustment, faults):
    """Takes an adjustment's units off the lines, and checks its amounts against the rule of single units."""
    for taken in adjustment["lines"]:
        line, units = lines[taken["line_id"]], taken["quantity"]
        cost, worth = taken["amount"]["amount"], taken["goods"]["amount"]
        line.by_units = line.by_units and units > 0
        if line.by_units:
            so_far = line.taken + units
            should = half_up(so_far * line.cost, line.units) - line.taken_cost
            goods = half_up(so_far * line.worth, line.units) - line.taken_worth
            if (cost, worth) != (should, goods):
                faults.append(f"{adjustment['adjustment_id']}: {cost}/{worth}, not {should}/{goods}")
        line.taken += units
        line.taken_cost += cost
        line.taken_worth += worth
        if line.taken_cost > line.cost:
            faults.append(f"{adjustment['adjustment_id']} takes more than the line cost")
        if taken["replacement"] is not None:
            lines[taken["replacement"]["line_id"]] = replacement_of(line, taken, faults)


def replacement_of(line, taken, faults):
    """Returns the line of a replacement: its units cost no more than those that they replace, and less in proportion."""
    new = taken["replacement"]
    price, cost, worth = new["unit_price"]["amount"], new["amount"]["amount"], new["goods"]["amount"]
    should = tuple(half_up(taken[part]["amount"] * price, line.price) for part in ("amount", "goods"))
    if (cost, worth) != should or price > line.price:
        faults.append(f"{new['line_id']}: {cost}/{worth} at {price}, not {should} at {line.price} at most")
    return Line(new["tax_rate_bps"], taken["quantity"], price, cost, worth)


def parts_of(order, lines, adjustments):
    """The parts of an order after some of its adjustments, by the rates of its lines and their replacements."""
    parts = Parts()

    def add(rate, cost, worth, sign):
        parts.goods[rate] += sign * worth
        parts.platform_discount += sign * (worth - cost)

    for line_id in (line["line_id"] for line in order["lines"]):
        add(lines[line_id].rate, lines[line_id].cost, lines[line_id].worth, 1)
    for taken in (taken for each in adjustments for taken in each["lines"]):
        new = taken["replacement"]
        add(lines[taken["line_id"]].rate, taken["amount"]["amount"], taken["goods"]["amount"], -1)
        if new is not None:
            add(new["tax_rate_bps"], new["amount"]["amount"], new["goods"]["amount"], 1)
    for fee in order["fees"]:
        if fee["type"] == "courier_tip":
            parts.tip += fee["amount"]["amount"]
        else:
            parts.fees += fee["amount"]["amount"]
    return parts


def entries_of(order, ledger, faults):
    """Yields (kind, time, parts before, parts after, amount, refund) of an order, by the events of its payment."""
    lines, adjustments = lines_of(order), order["adjustments"]
    for each in adjustments:
        take(lines, each, faults)
    by_refund = {each["refund_id"]: each for each in adjustments if each["refund_id"] is not None}
    # A replacement at the same price moves no money, but it may change the tax.
    free = [{"kind": "free", "at": each["at"], "each": each} for each in adjustments if each["refund_id"] is None]
    now, applied, is_paid = Parts(), [], False
    # At one time, the whole order goes back last.
    for event in sorted(free + ledger.get(order["order_id"], []), key=lambda event: event["at"]):
        kind, refund, after = event["kind"], None, now
        if kind == "refund":
            refund = next(each for each in order["refunds"] if each["refund_id"] == event["refund_id"])
            if refund["amount"]["amount"] != event["amount"]:
                faults.append(f"{event['refund_id']}: the event has another amount")
        adjustment = event.get("each") or by_refund.get(event.get("refund_id"))
        is_paid = is_paid or kind == "capture"
        if kind == "refund" and refund["borne_by"] == "platform":
            after = now
        elif kind == "refund" and adjustment is None:
            after = Parts()
        else:
            applied += [] if adjustment is None else [adjustment]
            after = parts_of(order, lines, applied)
        if is_paid:
            yield kind, event["at"], now, after, event.get("amount", 0), refund
            now = after


def ledger_of(events):
    """The captures and refunds of each order, once each, in order."""
    ledger, known = defaultdict(list), set()
    for event in events:
        data = event["data"]
        entry = None
        if "refund_id" in data and data["refund_id"] not in known:
            known.add(data["refund_id"])
            entry = {"kind": "refund", "amount": data["refunded"]["amount"], "refund_id": data["refund_id"]}
        elif event["to"] == "paid" and event["from"] in (None, "unpaid"):
            entry = {"kind": "capture", "amount": data["amount"]["amount"]}
        if entry is not None:
            ledger[data["resource_id"]].append({**entry, "at": event["occurred_at"]})
    return ledger


class Book:
    def __init__(self):
        self.sums, self.vat, self.payments = defaultdict(int), defaultdict(lambda: [0, 0]), defaultdict(lambda: [0, 0])

    def add(self, entry, payment):
        kind, _, before, after, amount, refund = entry
        for parts, sign in ((after, 1), (before, -1)):
            store = sum(parts.goods.values())
            self.sums["net_sales"] += sign * store
            self.sums["due"] += sign * store
            self.sums["fees"] += sign * parts.fees
            self.sums["tips"] += sign * parts.tip
            self.sums["platform_discount"] += sign * parts.platform_discount
            for rate, (net, tax) in parts.vat().items():
                self.vat[rate][0] += sign * net
                self.vat[rate][1] += sign * tax
        row = self.payments[(payment["method"], payment["collected_by"])]
        if kind == "capture":
            row[0] += amount
            self.sums["orders"] += 1
            if payment["collected_by"] != "platform":
                self.sums["due"] -= amount
        elif kind == "refund":
            row[1] += amount
            if refund["destination"] == "card_via_store_processor":
                self.sums["due"] += amount
            if refund["borne_by"] == "platform":
                self.sums["borne"] += amount

    def faults(self, name, statement):
        is_said = {
            "orders": statement["orders"],
            "net_sales": statement["net_sales"]["amount"],
            "fees": statement["held"]["fees"]["amount"],
            "tips": statement["held"]["tips"]["amount"],
            "platform_discount": statement["discounts"]["platform"]["amount"],
            "borne": statement["borne_by_platform"]["amount"],
            "due": statement["due"]["amount"] - statement["opening"]["amount"] + statement["payouts"]["amount"],
            "vat": {
                each["rate_bps"]: [each["net"]["amount"], each["vat"]["amount"]] for each in statement["vat"]
            },
            "payments": {
                f"{each['method']} {each['collected_by']}": [
                    each["captured"]["amount"],
                    each["refunded"]["amount"],
                ]
                for each in statement["payments"]
            },
        }
        should = {key: self.sums[key] for key in is_said if key not in ("vat", "payments")}
        should["vat"] = {rate: both for rate, both in self.vat.items() if both != [0, 0]}
        should["payments"] = {" ".join(key): both for key, both in self.payments.items()}
        return [f"{name}: {key} is {is_said[key]}, not {should[key]}" for key in is_said if is_said[key] != should[key]]


def floats_in(value, where):
    if isinstance(value, float):
        return [f"{where} is {value}, no whole number"]
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [fault for key, each in pairs for fault in floats_in(each, f"{where}.{key}")]


def faults_of_store(store, ledger):
    faults = floats_in([store["month"], store["days"]], "books")
    month, days = Book(), [Book() for _ in store["days"]]
    count = 0
    for order in store["orders"]:
        for entry in entries_of(order, ledger, faults):
            count += 1
            month.add(entry, order["payment"])
            # The first document that was still open, and whose day ends later.
            at = entry[1]
            place = next(
                (i for i, day in enumerate(store["days"]) if at < day["to"] and at < day["closed_at"]), None
            )
            if place is None:
                faults.append(f"{order['order_id']}: no day has its entry of {at}")
            else:
                days[place].add(entry, order["payment"])
    faults += month.faults("month", store["month"])
    before = "0" * 64
    for i, day in enumerate(store["days"]):
        faults += days[i].faults(f"day {i + 1}", day["statement"])
        rest = {key: each for key, each in day.items() if key != "hash"}
        text = json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        if day["hash"] != hashlib.sha256(text.encode()).hexdigest():
            faults.append(f"day {i + 1}: its hash is not that of the document")
        if (day["number"], day["previous_hash"]) != (i + 1, before):
            faults.append(f"day {i + 1} does not follow the one before")
        before = day["hash"]
    return faults, count


def main(path):
    with open(path, encoding="utf-8") as file:
        books = json.load(file)
    ledger = ledger_of(books["events"])
    faults, entries = [], 0
    for number, store in enumerate(books["stores"], 1):
        found, count = faults_of_store(store, ledger)
        faults += [f"store {number}: {fault}" for fault in found]
        entries += count
    print("\n".join(faults) if faults else f"{entries} entries agree")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
