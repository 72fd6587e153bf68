package corfu.museum;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A bug and the test that catches it. A file describes it:
 *
 * <pre>
 * what: CorfuDB #260: a fill overwrote written data
 * file: roles/src/main/java/corfu/roles/logunit/request/WriteHandler.java
 * test: corfu.sim.MuseumTest#aFillLeavesWhatIsWrittenAlone
 * --- instead of
 * lines that occur once in the source
 * --- plant
 * the lines that replace them
 * </pre>
 *
 * <p>Instead of a test it may name seeds. {@code seeds: 40 any} means that one of 40 simulations
 * with this work must find the bug. {@code seeds: 40 log reshape,loss} limits the faults of the
 * simulations.
 *
 * @param name the name of the file
 * @param what the failure, and the system that had it
 * @param source the file in which the bug is planted, relative to the project's root
 * @param proof the test that must fail
 * @param sound the correct lines
 * @param planted the lines with the bug
 */
record Exhibit(String name, String what, Path source, Proof proof, String sound, String planted) {

  private static final Pattern FORM =
      Pattern.compile(
          """
          what: (?<what>.+)
          file: (?<file>\\S+)
          (?:test: (?<test>\\S+)#(?<method>\\S+)|seeds: (?<seeds>\\d+) (?<work>[\\w ,-]+))
          --- instead of
          (?<sound>.+?)
          --- plant
          (?<planted>.*)\
          """,
          Pattern.DOTALL);

  /** The test that fails with the bug. */
  sealed interface Proof {
    record Test(String className, String method) implements Proof {}

    record Seeds(int most, String workAndPlan) implements Proof {}
  }

  /** Returns all exhibits of a directory, in the order of their names. */
  static List<Exhibit> in(Path directory) {
    try (var files = Files.list(directory)) {
      return files
          .filter(file -> file.toString().endsWith(".bug"))
          .sorted()
          .map(Exhibit::of)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Exhibit of(Path file) {
    try {
      String name = file.getFileName().toString().replace(".bug", "");
      Matcher text = FORM.matcher(Files.readString(file));
      if (!text.matches()) {
        throw new IllegalArgumentException(file + " does not describe an exhibit as it should");
      }
      Proof proof =
          text.group("test") == null
              ? new Proof.Seeds(Integer.parseInt(text.group("seeds")), text.group("work"))
              : new Proof.Test(text.group("test"), text.group("method"));
      return new Exhibit(
          name,
          text.group("what"),
          Path.of(text.group("file")),
          proof,
          text.group("sound"),
          text.group("planted"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the source with the bug in it. */
  String mutated(Path root) {
    try {
      String text = Files.readString(root.resolve(source));
      int at = text.indexOf(sound);
      if (at < 0 || text.indexOf(sound, at + 1) >= 0) {
        throw new IllegalStateException(
            "%s: the lines instead of which the bug is planted are not there once in %s: has"
                    .formatted(name, source)
                + " the code changed? Then plant it anew");
      }
      return text.substring(0, at) + planted + text.substring(at + sound.length());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
