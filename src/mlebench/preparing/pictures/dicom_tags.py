"""The data elements of DICOM files of test items that are published.

They describe the pixels, how to show them, and where they are in the patient; sex and age; and the
ids of the file, its series and its study, which are ids of the competitions, too. The id of the
patient is a name of a folder or in a table where the task has it. There are no private elements,
dates, texts, names, settings of machines, or overlays, in which readers may have drawn.
"""

from __future__ import annotations

PIXELS = 0x7FE0_0010

META = frozenset(0x0002_0000 + n for n in (0x01, 0x02, 0x03, 0x10, 0x12, 0x13))
"""Of the file meta information: version, class, id, transfer syntax, and the writing program."""

SEQUENCES = frozenset(
    [
        0x0020_9111,  # frame content
        0x0020_9113,  # plane position
        0x0020_9116,  # plane orientation
        0x0028_3000,  # modality LUT
        0x0028_3010,  # VOI LUT
        0x0028_9110,  # pixel measures
        0x0028_9132,  # frame VOI LUT
        0x0028_9145,  # pixel value transformation
        0x5200_9229,  # shared functional groups
        0x5200_9230,  # functional groups of each frame
    ]
)
"""Inside them only listed elements are published as well."""

ELEMENTS = {
    # Character set, image type, SOP class and instance, modality.
    0x0008: (0x0005, 0x0008, 0x0016, 0x0018, 0x0060),
    # Patient's sex and age.
    0x0010: (0x0040, 0x1010),
    # Slice thickness and spacing, tilt of the gantry, magnification, spacing of the imager,
    # position of the patient, view position.
    0x0018: (0x0050, 0x0088, 0x1114, 0x1120, 0x1164, 0x5100, 0x5101),
    # Study and series, numbers of series, acquisition and instance.
    0x0020: (
        *(0x000D, 0x000E, 0x0011, 0x0012, 0x0013),
        # Orientation of the patient, image position and orientation, frame of reference.
        *(0x0020, 0x0032, 0x0037, 0x0052),
        # Laterality, number of images, slice location; place of a frame in a stack.
        *(0x0060, 0x0062, 0x1002, 0x1041, 0x9056, 0x9057),
    ),
    0x0028: (
        # Samples, photometric interpretation, frames, rows, columns, spacing, aspect ratio.
        *(0x0002, 0x0004, 0x0006, 0x0008, 0x0009, 0x0010, 0x0011, 0x0030, 0x0034, 0x0A02),
        # Bits, representation, smallest and largest values, padding.
        *(0x0100, 0x0101, 0x0102, 0x0103, 0x0106, 0x0107, 0x0108, 0x0109, 0x0120, 0x0121),
        # Intensity relationship, window, rescale, VOI LUT function.
        *(0x1040, 0x1041, 0x1050, 0x1051, 0x1052, 0x1053, 0x1054, 0x1056),
        # Palettes, breast implant (a column of test.csv), ICC profile, lossy compression.
        *(0x1101, 0x1102, 0x1103, 0x1199, 0x1201, 0x1202, 0x1203, 0x1221, 0x1222, 0x1223),
        *(0x1300, 0x2000, 0x2110, 0x2112, 0x2114),
        # Look-up tables: descriptor, type, data.
        *(0x3002, 0x3004, 0x3006),
    ),
    # Presentation LUT shape.
    0x2050: (0x0020,),
    # Offset table, and pixels as integers or floating-point numbers.
    0x7FE0: (0x0001, 0x0002, 0x0008, 0x0009, 0x0010),
}

LISTED = SEQUENCES | {group << 16 | n for group, numbers in ELEMENTS.items() for n in numbers}
