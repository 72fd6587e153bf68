package corfu.architecture;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class TidyTest {

  private static final int LINES_OF_A_FILE = 500;
  private static final int COLUMNS_OF_A_LINE = 100;
  private static final int FILES_OF_A_PACKAGE = 25;

  /**
   * Packages that are still too large, with their sizes. Sizes may shrink and entries may go; no
   * entry is added.
   */
  private static final Map<String, Integer> LARGE_PACKAGES = Map.of();

  /** The user's settings choose the sources of artifacts, not a repository. */
  private static final Pattern REGISTRY =
      Pattern.compile(
          "repo1?\\.maven|maven\\.google|plugins\\.gradle|jitpack\\.|oss\\.sonatype"
              + "|registry\\.(npmjs|yarnpkg)|(files|test)\\.pythonhosted|pypi\\.org/simple"
              + "|static\\.crates|index\\.crates|proxy\\.golang|deb\\.debian\\.org");

  private final Sources sources = Sources.ofThisRepository();

  @Test
  void aFileIsShortEnoughToRead() throws IOException {
    var tooLong = new ArrayList<String>();
    for (Path file : sources.mainJava()) {
      int lines = Files.readAllLines(file).size();
      if (lines > LINES_OF_A_FILE) {
        tooLong.add("%s has %d lines".formatted(sources.nameOf(file), lines));
      }
    }
    assertThat(tooLong).as("longer than %d lines", LINES_OF_A_FILE).isEmpty();
  }

  @Test
  void aLineFitsWhereTheFormatterCouldBreakIt() throws IOException {
    var tooWide = new ArrayList<String>();
    for (Path file : sources.java()) {
      boolean inTextBlock = false;
      boolean inDrawing = false;
      int number = 0;
      for (String line : Files.readAllLines(file)) {
        number++;
        inDrawing |= line.contains("<pre>");
        boolean breakable =
            !inTextBlock && !inDrawing && !line.startsWith("import ") && !line.contains("://");
        if (breakable && line.codePointCount(0, line.length()) > COLUMNS_OF_A_LINE) {
          tooWide.add(sources.nameOf(file) + ":" + number);
        }
        inDrawing &= !line.contains("</pre>");
        inTextBlock ^= line.split("\"\"\"", -1).length % 2 == 0;
      }
    }
    assertThat(tooWide).as("wider than %d columns", COLUMNS_OF_A_LINE).isEmpty();
  }

  @Test
  void everyPackageSaysWhatItIsForAndIsNullMarked() throws IOException {
    List<Path> all = sources.mainJava();
    List<String> unmarked =
        all.stream()
            .map(Path::getParent)
            .distinct()
            .filter(directory -> !isNullMarked(directory.resolve("package-info.java")))
            .filter(directory -> !isMarkedClassByClass(directory, all))
            .map(sources::nameOf)
            .toList();
    assertThat(unmarked).as("no package-info.java with @NullMarked").isEmpty();
  }

  /** In a package that has classes of another project, too, the mark of a package is theirs. */
  private boolean isMarkedClassByClass(Path directory, List<Path> all) {
    return sources.nameOf(directory).contains("/org/apache/")
        && all.stream()
            .filter(file -> file.getParent().equals(directory))
            .filter(file -> !file.endsWith("package-info.java"))
            .allMatch(TidyTest::isNullMarked);
  }

  @Test
  void aPackageHasFewFiles() throws IOException {
    Map<String, Long> sizes = sizesOfPackages();
    var tooLarge = new ArrayList<String>();
    sizes.forEach(
        (directory, size) -> {
          int bound = LARGE_PACKAGES.getOrDefault(directory, FILES_OF_A_PACKAGE);
          if (size > bound) {
            tooLarge.add("%s has %d files, its bound is %d".formatted(directory, size, bound));
          }
        });
    assertThat(tooLarge).as("divide these by purpose").isEmpty();
  }

  @Test
  void theBoundOfALargePackageIsItsSize() throws IOException {
    Map<String, Long> sizes = sizesOfPackages();
    var tooHigh = new ArrayList<String>();
    LARGE_PACKAGES.forEach(
        (directory, bound) -> {
          long size = sizes.getOrDefault(directory, 0L);
          if (size <= FILES_OF_A_PACKAGE) {
            tooHigh.add("%s needs no bound any more".formatted(directory));
          } else if (size < bound) {
            tooHigh.add("%s has %d files, its bound is %d".formatted(directory, size, bound));
          }
        });
    assertThat(tooHigh).as("lower these bounds, or remove them").isEmpty();
  }

  private Map<String, Long> sizesOfPackages() throws IOException {
    return sources.mainJava().stream()
        .collect(groupingBy(file -> sources.nameOf(file.getParent()), TreeMap::new, counting()));
  }

  @Test
  void noFileNamesARegistry() throws IOException {
    List<String> naming =
        sources.all().stream()
            .filter(file -> REGISTRY.matcher(textOf(file)).find())
            .map(sources::nameOf)
            .toList();
    assertThat(naming).as("names a package registry").isEmpty();
  }

  private static boolean isNullMarked(Path source) {
    return Files.exists(source) && textOf(source).contains("@NullMarked");
  }

  /**
   * Returns any file as text, byte by byte, so that a binary file does not fail a test about words.
   */
  private static String textOf(Path file) {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return "";
    }
  }
}
