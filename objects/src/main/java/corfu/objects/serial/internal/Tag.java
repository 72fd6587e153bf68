package corfu.objects.serial.internal;

/** The first byte of each value, which says its kind. Drawn in docs/objects-format.md. */
public final class Tag {

  public static final byte NULL = 0;
  public static final byte TRUE = 1;
  public static final byte FALSE = 2;
  public static final byte BYTE = 3;
  public static final byte SHORT = 4;
  public static final byte CHAR = 5;
  public static final byte INT = 6;
  public static final byte LONG = 7;
  public static final byte FLOAT = 8;
  public static final byte DOUBLE = 9;
  public static final byte STRING = 10;
  public static final byte BIG_INTEGER = 11;
  public static final byte BIG_DECIMAL = 12;
  public static final byte UUID = 13;
  public static final byte INSTANT = 14;
  public static final byte DURATION = 15;

  /** A value of {@link corfu.objects.serial.rule.TextValue}: which, and its text. */
  public static final byte TEXT = 16;

  public static final byte OPTIONAL = 17;

  /** Of primitives: the component type's tag, how many, and each. */
  public static final byte PRIMITIVES = 18;

  /** Of objects: the component type's name, how many, and each. */
  public static final byte ARRAY = 19;

  /** A value of {@link Container}: which, how many, and each; keys before values. */
  public static final byte CONTAINER = 20;

  /** The class, and the constant's name. */
  public static final byte ENUM = 21;

  /** The shape, and the values of its fields. */
  public static final byte RECORD = 22;

  public static final byte OBJECT = 23;

  /** Something that came before: the how manieth of what can be changed. */
  public static final byte SEEN = 24;

  /**
   * An {@link corfu.objects.serial.InLog}: the {@link corfu.objects.serial.ContentDigest} of its
   * bytes, and these.
   */
  public static final byte IN_LOG = 25;

  /** The same in what is read soon, and never in the log: the content, and where that is. */
  static final byte IN_LOG_AT = 26;

  private Tag() {}
}
