package corfu.nbd.internal.tls;

import static java.nio.charset.StandardCharsets.UTF_8;

import corfu.nbd.NbdServerException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The keys of users. */
final class PskFile {

  private static final int LEAST_KEY_BYTES = 16;

  private final Map<String, byte[]> keys;

  private PskFile(Map<String, byte[]> keys) {
    this.keys = keys;
  }

  /**
   * Reads a file.
   *
   * @throws NbdServerException if it is missing, or has a wrong line; the message tells no key
   */
  static PskFile read(Path file) {
    List<String> lines;
    try {
      lines = Files.readAllLines(file, UTF_8);
    } catch (IOException unreadable) {
      throw new NbdServerException("cannot read the keys in " + file, unreadable);
    }
    Map<String, byte[]> keys = new HashMap<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (!line.isEmpty() && !line.startsWith("#")) {
        add(keys, line, "line " + (i + 1) + " of " + file);
      }
    }
    if (keys.isEmpty()) {
      throw new NbdServerException(file + " has no key; write one with psktool");
    }
    return new PskFile(keys);
  }

  private static void add(Map<String, byte[]> keys, String line, String where) {
    int colon = line.lastIndexOf(':');
    if (colon < 1) {
      throw new NbdServerException(where + " is not of the form user:key");
    }
    byte[] key;
    try {
      key = HexFormat.of().parseHex(line, colon + 1, line.length());
    } catch (IllegalArgumentException noHex) {
      throw new NbdServerException(where + ": the key is not in hexadecimal digits");
    }
    if (key.length < LEAST_KEY_BYTES) {
      throw new NbdServerException(
          "%s: the key has %d bytes; it needs %d or more"
              .formatted(where, key.length, LEAST_KEY_BYTES));
    }
    if (keys.put(line.substring(0, colon), key) != null) {
      throw new NbdServerException(where + ": a second key of this user");
    }
  }

  /** Returns the key of a user. */
  Optional<byte[]> keyOf(String user) {
    return Optional.ofNullable(keys.get(user)).map(byte[]::clone);
  }
}
