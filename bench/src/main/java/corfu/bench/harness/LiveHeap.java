package corfu.bench.harness;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** The bytes of the objects that live in the heap of another JVM. */
public final class LiveHeap {

  private LiveHeap() {}

  /** Has the JVM collect all garbage, and returns the bytes of the remaining objects. */
  public static long of(long pid) throws IOException, InterruptedException {
    Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    Process process =
        new ProcessBuilder(jcmd.toString(), Long.toString(pid), "GC.class_histogram")
            .redirectErrorStream(true)
            .start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return total(text);
  }

  /**
   * Returns the bytes in the last line of a class histogram, such as {@code Total 100 2400}.
   *
   * @throws IOException if the text is no class histogram
   */
  public static long total(String histogram) throws IOException {
    for (String line : histogram.lines().toList()) {
      String[] words = line.strip().split("\\s+", -1);
      if (words.length == 3 && words[0].equals("Total")) {
        return Long.parseLong(words[2]);
      }
    }
    throw new IOException("not a class histogram: " + histogram.lines().limit(3).toList());
  }
}
