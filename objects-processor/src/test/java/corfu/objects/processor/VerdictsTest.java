package corfu.objects.processor;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.objects.generated.ObjectTypeException;
import corfu.objects.generated.ObjectTypes;
import corfu.objects.serial.StandardSerializer;
import corfu.objects.type.ObjectType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A class gets the same verdict, in the same words, when it is compiled and when it is opened. */
class VerdictsTest {

  private static final String SOURCE =
      """
      package %s;

      import corfu.objects.annotation.*;
      import java.util.*;
      import java.util.concurrent.*;
      import java.util.function.*;

      interface Named<T> {
        @Mutator default void rename(String name) {}
        @Mutator default void set(T value) {}
      }

      abstract class Base {
        @Accessor public int inherited() { return 1; }
        @Mutator void near(int value) {}
      }

      record Port(String name, Set<Integer> numbers) {}

      record Bad(String name, Thread thread) {}

      enum Color { RED, GREEN }

      class Point { int x; int y; }

      class Fixed { final int x = 1; }

      class Needy { Needy(int x) {} }

      class Self { Self next; List<Self> more; }

      %s
      """;

  private static final List<String> SAMPLES =
      List.of(
          "class Sample { @Mutator public void a(int x) {} @Accessor public int b() { return 1; }"
              + " }",
          "class Sample { @Accessor int near() { return 1; } }",
          "class Sample { @Accessor protected int near() { return 1; } private int own() { return"
              + " 1; } }",
          "class Sample { public int a() { return 1; } @Mutator public int b() { return 1; } }",
          "final class Sample { @Mutator public void a() {} }",
          "sealed class Sample { @Mutator public void a() {} static non-sealed class Sub extends"
              + " Sample {} }",
          "class Sample { private Sample() {} @Mutator public void a() {} }",
          "class Sample { Sample(int x) {} @Mutator public void a() {} }",
          "record Sample(int x) { @Accessor public int x() { return 1; } }",
          "enum Sample { ONE; @Accessor public int x() { return 1; } }",
          "class Sample { @Mutator public final void a() {} }",
          "class Sample { @Mutator public static void a() {} }",
          "class Sample { @Mutator private void a() {} }",
          "class Sample { @Accessor public void a() {} }",
          "class Sample { @Mutator @Accessor public int a() { return 1; } }",
          "class Sample { @Mutator(\"x\") public void a() {} @Mutator(\"x\") public void b() {} }",
          "class Sample { @Mutator(\"" + "x".repeat(256) + "\") public void a() {} }",
          "class Sample { @Mutator public void a(Map.Entry<String, String>[] x, int[][] y) {} }",
          "class Sample { @Mutator public void a(@Key int x, @Key int y) {} }",
          "class Sample { @Mutator public void a(@Key @Keys List<String> x) {} }",
          "class Sample { @Mutator public void a(@Keys List<String> x, int... y) {} }",
          "class Sample { @Mutator public void a(@Keys String x) {} }",
          "class Sample { @Mutator public void a(@Keys Object x) {} }",
          "class Sample extends Base { @Accessor public int own() { return 2; } }",
          "class Sample extends Base { @Override public int inherited() { return 2; }"
              + " @Accessor public int own() { return 2; } }",
          "class Sample extends Base {}",
          "class Sample extends Base { @Override public int inherited() { return 2; } }",
          "class Sample implements Named<String> { @Override public void set(String value) {} }",
          "class Sample extends Base { public int more() { return 2; }"
              + " @Accessor public int own() { return 2; } }",
          "class Sample implements Named<String> { @Accessor public int more() { return 2; } }",
          "class Sample implements Named<String> { @Override public void set(String value) {}"
              + " @Accessor public int own() { return 2; } }",
          "class Sample implements Runnable { @Mutator public void run() {} }",
          "class Sample { @Mutator public void a() {} @Override public String toString() { return"
              + " \"\"; } @Override public int hashCode() { return 1; } @Override public boolean"
              + " equals(Object o) { return true; } }",
          "class Sample { @Mutator public void a(Runnable x) {} }",
          "class Sample { @Accessor public int a(Runnable x) { return 1; } }",
          "class Sample { @TransactionalMethod public int a(Runnable x) { return 1; } }",
          "class Sample { @MutatorAccessor public Iterator<String> a() { return null; } }",
          "class Sample { @Mutator public void a(Port p, Color c, Point q, Self s, Object o) {} }",
          "class Sample { @Mutator public void a(Comparable<String> c, CharSequence d, Number n) {}"
              + " }",
          "class Sample { @Mutator public void a(TimeUnit unit, java.time.Instant i, Locale l) {}"
              + " }",
          "class Sample { @Mutator public void a(Bad bad) {} }",
          "class Sample { @Mutator public void a(List<? extends Bad> bad) {} }",
          "class Sample { @Mutator public void a(List<Bad> bad) {} }",
          "class Sample { @Mutator public void a(Map<String, List<Optional<Bad>>> bad) {} }",
          "class Sample { @Mutator public void a(Bad[] bad) {} }",
          "class Sample { @Mutator public void a(Fixed bad) {} }",
          "class Sample { @Mutator public void a(Needy bad) {} }",
          "class Sample { class In {} @Mutator public void a(In bad) {} }",
          "class Sample { @Mutator public void a(ConcurrentHashMap<String, String> bad) {} }",
          "class Sample { @Mutator public void a(Function<String, String> bad) {} }",
          "class Sample<T extends Comparable<T>> { T t; @Mutator public void a(T bad, List<T> l) {}"
              + " }",
          "class Sample { @Mutator public <T> void a(T bad, T[] l) {} }",
          "class Sample { final int x = 1; @Mutator public void a() {} }",
          "class Sample { final transient int x = 1; static final int Y = 1; @Mutator public void"
              + " a() {} }",
          "class Sample { Fixed x; @Mutator public void a() {} }",
          "class Sample { Fixed[] x; @Mutator public void a() {} }",
          "class Sample { List<Thread> x; @Mutator public void a() {} }");

  /** Runs the compiler twice for all cases: its start takes longer than a verdict. */
  @Test
  void compilerAndRunTimeAgree() {
    List<String> sources = new ArrayList<>();
    for (String sample : SAMPLES) {
      sources.add(SOURCE.formatted(packageOf(sources.size()), sample));
    }
    Compiled processed = Compiled.withProcessor(sources.toArray(String[]::new));
    Compiled unprocessed = Compiled.withoutProcessor(sources.toArray(String[]::new));

    assertThat(processed.errors()).as("samples that are not in order").hasSizeGreaterThan(30);
    Map<String, List<String>> whenCompiled = new LinkedHashMap<>();
    Map<String, List<String>> whenOpened = new LinkedHashMap<>();
    for (int i = 0; i < SAMPLES.size(); i++) {
      String inPackage = packageOf(i) + ".";
      whenCompiled.put(
          SAMPLES.get(i),
          processed.errors().stream().filter(said -> said.contains(inPackage)).sorted().toList());
      whenOpened.put(
          SAMPLES.get(i),
          whenOpened(unprocessed.load(inPackage + "Sample")).stream().sorted().toList());
    }
    assertThat(whenCompiled).isEqualTo(whenOpened);
  }

  private static String packageOf(int sample) {
    return "bank" + sample;
  }

  private static List<String> whenOpened(Class<?> type) {
    ObjectType<?> made;
    try {
      made = ObjectTypes.of(type);
    } catch (ObjectTypeException refused) {
      return refused.getMessage().lines().toList();
    }
    List<String> objections = new ArrayList<>();
    made.written()
        .forEach(
            written ->
                StandardSerializer.create()
                    .objectionTo(written.type())
                    .ifPresent(objection -> objections.add(written.what() + ": " + objection)));
    return objections;
  }
}
