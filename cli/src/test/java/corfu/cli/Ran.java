package corfu.cli;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What a command did that was run inside this JVM. */
record Ran(int status, byte[] bytes, String err) {

  static Ran corfu(String... arguments) {
    return corfuWith("", arguments);
  }

  static Ran corfuWith(String input, String... arguments) {
    return corfuWith(input.getBytes(StandardCharsets.UTF_8), arguments);
  }

  static Ran corfuWith(byte[] input, String... arguments) {
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    var terminal = new Terminal(new ByteArrayInputStream(input), out, err, () -> false);
    int status = Main.run(terminal, arguments);
    return new Ran(status, out.toByteArray(), err.toString(StandardCharsets.UTF_8));
  }

  String out() {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  List<String> lines() {
    return out().lines().toList();
  }
}
