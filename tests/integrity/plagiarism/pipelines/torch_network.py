import pandas as pd
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(5)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Net(nn.Module):
    def __init__(self, width, hidden=128, dropout=0.3):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(width, hidden),
            nn.BatchNorm1d(hidden),
            nn.SiLU(),
            nn.Dropout(dropout),
            nn.Linear(hidden, hidden // 2),
            nn.SiLU(),
        )
        self.head = nn.Linear(hidden // 2, 1)

    def forward(self, batch):
        return self.head(self.body(batch)).squeeze(1)


def tensorise(raw, columns=None, mean=None, std=None):
    wide = pd.get_dummies(raw.drop(columns=["PassengerId", "Name", "Cabin"]), dummy_na=True)
    wide = wide.fillna(wide.median(numeric_only=True)).astype("float32")
    if columns is not None:
        wide = wide.reindex(columns=columns, fill_value=0)
    mean = wide.mean() if mean is None else mean
    std = wide.std() + 1e-6 if std is None else std
    return torch.tensor(((wide - mean) / std).values), wide.columns, mean, std


train = pd.read_csv("/home/data/train.csv")
labels = torch.tensor(train.pop("Transported").values.astype("float32"))
inputs, columns, mean, std = tensorise(train)
loader = DataLoader(TensorDataset(inputs, labels), batch_size=256, shuffle=True)
net = Net(inputs.shape[1]).to(device)
optimiser = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-2)
schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, 40)
criterion = nn.BCEWithLogitsLoss()
for epoch in range(40):
    net.train()
    total = 0.0
    for batch, wanted in loader:
        optimiser.zero_grad()
        loss = criterion(net(batch.to(device)), wanted.to(device))
        loss.backward()
        optimiser.step()
        total += loss.item() * len(batch)
    schedule.step()
    print(f"epoch {epoch}: {total / len(labels):.4f}")

test = pd.read_csv("/home/data/test.csv")
net.eval()
with torch.no_grad():
    logits = net(tensorise(test, columns, mean, std)[0].to(device)).cpu()
result = test[["PassengerId"]].assign(Transported=(logits > 0).numpy())
result.to_csv("/home/submission/submission.csv", index=False)
