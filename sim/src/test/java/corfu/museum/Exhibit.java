package corfu.museum;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A bug, and what catches it. It is described by a file:
 *
 * <pre>
 * what: CorfuDB #260: a fill overwrote written data
 * file: roles/src/main/java/corfu/roles/logunit/store/Store.java
 * test: corfu.sim.MuseumTest#aFillLeavesWhatIsWrittenAlone
 * --- instead of
 * lines of the source, which are there once
 * --- plant
 * what takes their place
 * </pre>
 *
 * <p>Or {@code seeds: 40 any} instead of a test: one of so many simulations has to find it, whose
 * clients do this work; {@code seeds: 40 log reshape,loss}: where only this happens.
 *
 * @param name the file's
 * @param what happened, and to whom
 * @param source where the bug is planted, from the project's root
 * @param proof what has to fail
 * @param sound what is there
 * @param planted what takes its place
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

  /** What fails where the bug is. */
  sealed interface Proof {
    record Test(String className, String method) implements Proof {}

    record Seeds(int most, String workAndPlan) implements Proof {}
  }

  /** All that there are in a directory, in the order of their names. */
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

  /** The source with the bug in it. */
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
