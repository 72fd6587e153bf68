package corfu.sim.history;

import java.nio.charset.StandardCharsets;

/** The payloads that clients append: a unique name, and more bytes that follow from it. */
public final class Payloads {

  public static final char END_OF_NAME = '|';

  private Payloads() {}

  public static byte[] of(String name, int padding) {
    StringBuilder text = new StringBuilder(name).append(END_OF_NAME);
    for (int i = 0; i < padding; i++) {
      text.append(expected(name, i));
    }
    return text.toString().getBytes(StandardCharsets.US_ASCII);
  }

  /** Returns whether this is the part of the payload of this name at an offset. */
  public static boolean isPart(String part, String name, int offset) {
    String head = name + END_OF_NAME;
    for (int i = 0; i < part.length(); i++) {
      int at = offset + i;
      char wanted = at < head.length() ? head.charAt(at) : expected(name, at - head.length());
      if (part.charAt(i) != wanted) {
        return false;
      }
    }
    return true;
  }

  /** Returns the payload's name, or another name if any of its bytes was changed. */
  public static String nameOf(String text) {
    int end = text.indexOf(END_OF_NAME);
    if (end < 0) {
      return "damaged payload of " + text.length() + " characters";
    }
    String name = text.substring(0, end);
    for (int i = end + 1; i < text.length(); i++) {
      if (text.charAt(i) != expected(name, i - end - 1)) {
        return "damaged at " + i + ": " + name;
      }
    }
    return name;
  }

  private static char expected(String name, int index) {
    return (char) ('a' + (name.hashCode() + index & 15));
  }
}
