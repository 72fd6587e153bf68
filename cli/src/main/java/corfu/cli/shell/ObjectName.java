package corfu.cli.shell;

import corfu.protocol.StreamId;

/**
 * An object as a person names it.
 *
 * @param text a name, or {@code id:UUID}
 * @param id the id of the object's stream
 */
public record ObjectName(String text, StreamId id) {

  private static final String BY_ID = "id:";

  /**
   * Parses a name or an id.
   *
   * @throws ShellException if the text names no object
   */
  public static ObjectName parse(String text) {
    if (text.isEmpty()) {
      throw new ShellException("the name of an object has at least one character");
    }
    if (!text.startsWith(BY_ID)) {
      return new ObjectName(text, StreamId.named(text));
    }
    try {
      return new ObjectName(text, StreamId.parse(text.substring(BY_ID.length())));
    } catch (IllegalArgumentException e) {
      throw new ShellException("an id is a UUID, as in id:" + StreamId.named("a"), e);
    }
  }

  /** Returns whether the person gave a name instead of an id. */
  public boolean isNamed() {
    return !text.startsWith(BY_ID);
  }

  @Override
  public String toString() {
    return text;
  }
}
