"""Recomputes the invoices of months from the list of parcels over HTTP. Standard library only.

Usage: invoice.py URL TOKEN YYYY-MM… Prints JSON by month: lines, net and VAT in pence by kind, and what is due.
"""

import json
import sys
import urllib.parse
import urllib.request
from datetime import date, datetime, timedelta, timezone

# Days without work, Monday to Friday, in the months that the tests play.
HOLIDAYS = {date(2026, 12, 25), date(2026, 12, 28), date(2027, 1, 1), date(2027, 3, 26), date(2027, 3, 29)}


def last_sunday(year, month):
    day = date(year, month, 31)
    return day - timedelta(days=(day.weekday() + 1) % 7)


def london(text):
    """Returns the local time of an instant: summer time is an hour ahead."""
    at = datetime.fromisoformat(text.replace("Z", "+00:00")).astimezone(timezone.utc)
    start, end = (
        datetime(day.year, day.month, day.day, 1, tzinfo=timezone.utc)
        for day in (last_sunday(at.year, 3), last_sunday(at.year, 10))
    )
    return at + timedelta(hours=1) if start <= at < end else at


def working_days_after(day, count):
    while count > 0:
        day += timedelta(days=1)
        if day.weekday() < 5 and day not in HOLIDAYS:
            count -= 1
    return day


def read_parcels(url, token):
    cursor = None
    while True:
        query = {"limit": "100", **({"cursor": cursor} if cursor else {})}
        request = urllib.request.Request(
            f"{url}/v1/shipments?{urllib.parse.urlencode(query)}",
            headers={"Authorization": f"Bearer {token}"},
        )
        with urllib.request.urlopen(request) as answer:
            page = json.load(answer)
        yield from page["data"]
        cursor = page["next_cursor"]
        if cursor is None:
            return


def lines_of(parcel):
    """Yields the kind, month, net and VAT of each charge of a parcel."""
    price = parcel["price"]
    vat = price["tax"]["amount"]["amount"]
    net = price["total"]["amount"] - vat
    collected = parcel["collected_at"]
    if collected is not None:
        kind = "return" if "return_of" in parcel else "parcel"
        yield kind, london(collected).strftime("%Y-%m"), net, vat
    for claim in parcel.get("claims", []):
        if claim["status"] == "accepted":
            month = london(claim["decided_at"]).strftime("%Y-%m")
            yield "claim", month, -net, -vat
            yield "claim", month, -claim["value"]["amount"], 0
    proof = parcel["proof_of_delivery"]
    if proof is not None and "cash_collected" in proof:
        owed = working_days_after(london(parcel["delivered_at"]).date(), 2)
        yield "cash", owed.strftime("%Y-%m"), -proof["cash_collected"]["amount"]["amount"], 0


def main():
    url, token, *months = sys.argv[1:]
    kinds = ("parcel", "return", "claim", "cash")
    invoices = {month: {kind: [0, 0, 0] for kind in kinds} for month in months}
    for parcel in read_parcels(url, token):
        for kind, month, net, vat in lines_of(parcel):
            if month in invoices:
                sums = invoices[month][kind]
                invoices[month][kind] = [sums[0] + 1, sums[1] + net, sums[2] + vat]
    dues = {month: sum(net + vat for _, net, vat in each.values()) for month, each in invoices.items()}
    print(json.dumps({month: {"kinds": invoices[month], "due": dues[month]} for month in months}))


main()
