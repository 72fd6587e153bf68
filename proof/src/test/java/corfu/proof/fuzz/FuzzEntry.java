package corfu.proof.fuzz;

import java.util.Arrays;

/**
 * The entry point of the fuzzer, in its own process. The system property {@code corfu.fuzz.target}
 * names a target. Without it the first byte of each input selects the target, so that a short run
 * covers all of them.
 */
public final class FuzzEntry {

  static final String TARGET = "corfu.fuzz.target";

  private static final String NAME = System.getProperty(TARGET, "");

  private FuzzEntry() {}

  public static void fuzzerTestOneInput(byte[] input) {
    if (!NAME.isEmpty()) {
      Bounds.run(Targets.named(NAME), input);
    } else if (input.length > 0) {
      int target = Byte.toUnsignedInt(input[0]) % Targets.ALL.size();
      Bounds.run(Targets.ALL.get(target), Arrays.copyOfRange(input, 1, input.length));
    }
  }
}
