package corfu.objects.serial;

/** What kind of value follows: the first byte of each. Drawn in docs/objects-format.md. */
final class Tag {

  static final byte NULL = 0;
  static final byte TRUE = 1;
  static final byte FALSE = 2;
  static final byte BYTE = 3;
  static final byte SHORT = 4;
  static final byte CHAR = 5;
  static final byte INT = 6;
  static final byte LONG = 7;
  static final byte FLOAT = 8;
  static final byte DOUBLE = 9;
  static final byte STRING = 10;
  static final byte BIG_INTEGER = 11;
  static final byte BIG_DECIMAL = 12;
  static final byte UUID = 13;
  static final byte INSTANT = 14;
  static final byte DURATION = 15;

  /** A value of {@link TextValue}: which, and its text. */
  static final byte TEXT = 16;

  static final byte OPTIONAL = 17;

  /** Of primitives: the component type's tag, how many, and each. */
  static final byte PRIMITIVES = 18;

  /** Of objects: the component type's name, how many, and each. */
  static final byte ARRAY = 19;

  /** A value of {@link Container}: which, how many, and each; keys before values. */
  static final byte CONTAINER = 20;

  /** The class, and the constant's name. */
  static final byte ENUM = 21;

  /** The shape, and the values of its fields. */
  static final byte RECORD = 22;

  static final byte OBJECT = 23;

  /** Something that came before: the how manieth of what can be changed. */
  static final byte SEEN = 24;

  /** An {@link InLog}: the {@link Content} of its bytes, and these. */
  static final byte IN_LOG = 25;

  /** The same in what is read soon, and never in the log: the content, and where that is. */
  static final byte IN_LOG_AT = 26;

  private Tag() {}
}
