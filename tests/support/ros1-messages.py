"""Fills messages of ROS 1 with what was published for rosbridge, and writes them as ROS does. Standard input has a line of
JSON for each message: its type and its fields. Standard output has a line for each: its fields again, after ROS has read
what it has written. genpy refuses unknown fields, wrong types and numbers out of their range.
"""

import base64
import io
import json
import sys

import genpy.message
from genpy.message import MessageException, get_message_class

import sensor_msgs.msg  # noqa: F401  Types are found by their packages.
import tf2_msgs.msg  # noqa: F401


def filled(type_name, fields):
    message = get_message_class(type_name)()
    binary = [
        name
        for name, field_type in zip(message.__slots__, message._slot_types)
        if field_type == 'uint8[]'
    ]
    for name in binary:
        # rosbridge decodes lists of bytes before it fills a message.
        fields[name] = base64.b64decode(fields[name], validate=True)
        setattr(message, name, fields.pop(name))
    genpy.message.fill_message_args(message, [fields])
    return message


for line in sys.stdin:
    published = json.loads(line)
    try:
        message = filled(published['type'], published['msg'])
        written = io.BytesIO()
        message.serialize(written)
        read = type(message)().deserialize(written.getvalue())
    except (MessageException, genpy.message.SerializationError, ValueError) as error:
        sys.exit(f"{published['type']}: {error}")
    facts = {'type': read._type, 'md5': read._md5sum, 'bytes': len(written.getvalue())}
    if read._type == 'sensor_msgs/LaserScan':
        facts['ranges'] = [round(value, 3) for value in read.ranges]
    if read._type == 'sensor_msgs/PointCloud2':
        facts['points'] = len(read.data) // read.point_step - read.width
    print(json.dumps(facts))
