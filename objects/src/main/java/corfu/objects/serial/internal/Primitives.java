package corfu.objects.serial.internal;

import corfu.objects.serial.SerializationException;
import corfu.objects.serial.ValueInput;
import corfu.objects.serial.ValueOutput;
import java.lang.reflect.Array;

/** Arrays of primitives: the component type's tag, how many, and each. */
public final class Primitives {

  private Primitives() {}

  static void write(Object array, int length, ValueOutput out) {
    switch (array) {
      case byte[] bytes -> {
        begin(Tag.BYTE, length, out);
        out.writeBytes(bytes, 0, length);
      }
      case int[] numbers -> {
        begin(Tag.INT, length, out);
        for (int number : numbers) {
          out.writeSigned(number);
        }
      }
      case long[] numbers -> {
        begin(Tag.LONG, length, out);
        for (long number : numbers) {
          out.writeSigned(number);
        }
      }
      case double[] numbers -> {
        begin(Tag.DOUBLE, length, out);
        for (double number : numbers) {
          out.writeLong(Double.doubleToRawLongBits(number));
        }
      }
      case float[] numbers -> {
        begin(Tag.FLOAT, length, out);
        for (float number : numbers) {
          out.writeSigned(Float.floatToRawIntBits(number));
        }
      }
      case short[] numbers -> {
        begin(Tag.SHORT, length, out);
        for (short number : numbers) {
          out.writeSigned(number);
        }
      }
      case char[] characters -> {
        begin(Tag.CHAR, length, out);
        for (char character : characters) {
          out.writeVarLong(character);
        }
      }
      case boolean[] truths -> {
        begin(Tag.TRUE, length, out);
        for (boolean truth : truths) {
          out.writeByte(truth ? 1 : 0);
        }
      }
      default -> throw new IllegalArgumentException("no array of primitives: " + array.getClass());
    }
  }

  private static void begin(byte tag, int length, ValueOutput out) {
    out.writeByte(tag);
    out.writeVarLong(length);
  }

  public static Object read(ValueInput in) {
    int tag = in.readByte();
    int length = in.readCount(tag == Tag.DOUBLE ? Long.BYTES : 1);
    if (tag == Tag.BYTE) {
      return in.readBytes(length);
    }
    Object array = Array.newInstance(component(tag), length);
    switch (array) {
      case int[] numbers -> {
        for (int i = 0; i < length; i++) {
          numbers[i] = (int) in.readSigned();
        }
      }
      case long[] numbers -> {
        for (int i = 0; i < length; i++) {
          numbers[i] = in.readSigned();
        }
      }
      case double[] numbers -> {
        for (int i = 0; i < length; i++) {
          numbers[i] = Double.longBitsToDouble(in.readLong());
        }
      }
      case float[] numbers -> {
        for (int i = 0; i < length; i++) {
          numbers[i] = Float.intBitsToFloat((int) in.readSigned());
        }
      }
      case short[] numbers -> {
        for (int i = 0; i < length; i++) {
          numbers[i] = (short) in.readSigned();
        }
      }
      case char[] characters -> {
        for (int i = 0; i < length; i++) {
          characters[i] = (char) in.readVarLong();
        }
      }
      case boolean[] truths -> {
        for (int i = 0; i < length; i++) {
          truths[i] = in.readByte() != 0;
        }
      }
      default -> throw new IllegalArgumentException("no array of primitives: " + array.getClass());
    }
    return array;
  }

  private static Class<?> component(int tag) {
    return switch (tag) {
      case Tag.INT -> int.class;
      case Tag.LONG -> long.class;
      case Tag.DOUBLE -> double.class;
      case Tag.FLOAT -> float.class;
      case Tag.SHORT -> short.class;
      case Tag.CHAR -> char.class;
      case Tag.TRUE -> boolean.class;
      default -> throw new SerializationException("damaged: no primitive has the tag " + tag);
    };
  }
}
