import tensorflow as tf
from tensorflow import keras

LABEL = "Transported"
BATCH = 128
NUMERIC = ["Age", "RoomService", "FoodCourt", "ShoppingMall", "Spa", "VRDeck"]
TEXT = ["HomePlanet", "CryoSleep", "Destination", "VIP", "Cabin"]
defaults = {name: [0.0] for name in NUMERIC} | {name: [""] for name in TEXT}


def dataset(path, label=None, shuffle=False):
    return tf.data.experimental.make_csv_dataset(
        path,
        BATCH,
        select_columns=NUMERIC + TEXT + ([label] if label else []),
        column_defaults=list(defaults.values()) + ([[""]] if label else []),
        label_name=label,
        num_epochs=1,
        shuffle=shuffle,
        ignore_errors=True,
    )


inputs, encoded = {}, []
sample = dataset("/home/data/train.csv", LABEL)
for name in NUMERIC:
    inputs[name] = keras.Input((1,), name=name)
    layer = keras.layers.Normalization()
    layer.adapt(sample.map(lambda x, _, key=name: tf.expand_dims(x[key], -1)))
    encoded.append(layer(inputs[name]))
for name in TEXT:
    inputs[name] = keras.Input((1,), name=name, dtype="string")
    lookup = keras.layers.StringLookup(max_tokens=400)
    lookup.adapt(sample.map(lambda x, _, key=name: x[key]))
    embedding = keras.layers.Embedding(lookup.vocabulary_size(), 8)
    encoded.append(keras.layers.Flatten()(embedding(lookup(inputs[name]))))
hidden = keras.layers.concatenate(encoded)
for units in (96, 48):
    hidden = keras.layers.Dense(units, activation="relu")(hidden)
    hidden = keras.layers.Dropout(0.25)(hidden)
output = keras.layers.Dense(1, activation="sigmoid")(hidden)
model = keras.Model(inputs, output)
model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
model.fit(
    dataset("/home/data/train.csv", LABEL, shuffle=True).map(
        lambda x, y: (x, tf.cast(y == "True", tf.float32))
    ),
    epochs=12,
)
guess = model.predict(dataset("/home/data/test.csv")).ravel()
with open("/home/data/test.csv") as source, open("/home/submission/submission.csv", "w") as goal:
    goal.write("PassengerId,Transported\n")
    next(source)
    for line, value in zip(source, guess, strict=False):
        goal.write(f"{line.split(',')[0]},{value > 0.5}\n")
