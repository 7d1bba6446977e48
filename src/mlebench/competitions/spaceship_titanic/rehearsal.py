"""Rehearsal data: passengers of a ship, mixed columns with gaps, a boolean target."""

from mlebench.rehearsal import Choice, Gap, Numbered, Of, Random, RawData, Several, Table, Whole

YES_NO = Choice("True", "False")
BILL = Gap(Whole(0, 900, "{}.0"), 0.05)


def cabin(r: Random, passenger: str) -> object:
    return Gap(f"{r.choice('ABCDEFG')}/{int(passenger[:-3])}/{r.choice('PS')}", 0.05)(r)


def passengers(numbers: Numbered) -> dict[str, object]:
    return {
        "PassengerId": numbers,
        "HomePlanet": Gap(Choice("Earth", "Mars", "Europa"), 0.05),
        "CryoSleep": Gap(YES_NO, 0.05),
        "Cabin": Of("PassengerId", cabin),
        "Destination": Gap(Choice("TRAPPIST-1e", "55 Cancri e"), 0.05),
        "Age": Gap(Whole(0, 80, "{}.0"), 0.05),
        "VIP": Gap("False", 0.05),
        "RoomService,FoodCourt,ShoppingMall,Spa,VRDeck": Several(*[BILL] * 5),
        "Name": Of("PassengerId", lambda r, i: Gap(f"Ann {int(i[:-3])}", 0.05)(r)),
    }


train = passengers(Numbered(200, fixed=-1, form="{:04d}_01"))
test = Table("test.csv", passengers(Numbered(fixed=50, start=10_000, form="{}_01")))

make_raw = RawData(
    "rows",
    Table("train.csv", train | {"Transported": YES_NO}),
    test,
    Table("sample_submission.csv", {"PassengerId": test["PassengerId"], "Transported": "False"}),
)
