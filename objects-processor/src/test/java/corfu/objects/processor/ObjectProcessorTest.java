package corfu.objects.processor;

import static org.assertj.core.api.Assertions.assertThat;

import javax.tools.Diagnostic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The messages that the author of a class gets, and their lines. */
class ObjectProcessorTest {

  private static final String HEAD =
      """
      package bank;

      import corfu.objects.annotation.*;
      import java.util.*;
      import java.util.concurrent.*;
      import java.util.function.*;

      """;

  @Test
  void whatIsWrongIsSaidAtItsLine() {
    String source =
        HEAD
            + """
            public class Account {
              private long balance;
              private final List<String> names = new ArrayList<>();

              @Mutator public void deposit(long amount) { balance += amount; }
              @Accessor public long balance() { return balance; }
              public void forgotten() {}
              @Mutator public long tells() { return 0; }
              @Accessor public void tellsNothing() {}
              @Accessor @Mutator public int both() { return 0; }
              @Mutator public final void fixed() {}
              @Mutator public static void ofNobody() {}
              @Mutator private void hidden() {}
              @Mutator public void keyed(@Key String a, @Key String b) {}
              @Mutator public void keysOf(@Keys int b) {}
              @Mutator public void later(
                  String name,
                  Runnable action) {}
              @Accessor public Thread thread() { return null; }
            }
            """;

    Compiled compiled = Compiled.withProcessor(source);

    assertThat(compiled.linesWithErrors(source))
        .containsExactlyInAnyOrder(
            "private final List<String> names = new ArrayList<>();",
            "public void forgotten() {}",
            "@Mutator public long tells() { return 0; }",
            "@Accessor public void tellsNothing() {}",
            "@Accessor @Mutator public int both() { return 0; }",
            "@Mutator public final void fixed() {}",
            "@Mutator public static void ofNobody() {}",
            "@Mutator private void hidden() {}",
            "@Mutator public void keyed(@Key String a, @Key String b) {}",
            "@Mutator public void keysOf(@Keys int b) {}",
            "Runnable action) {}",
            "@Accessor public Thread thread() { return null; }");
    assertThat(compiled.errors())
        .anySatisfy(
            said ->
                assertThat(said)
                    .startsWith(
                        "parameter 2 of bank.Account.later(String,Runnable): a java.lang.Runnable"
                            + " can't be written"));
    assertThat(compiled.has("bank.Account_CorfuType")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"final class", "record", "abstract sealed class", "class"})
  void aClassThatNothingCanStandForIsReportedAtItsHead(String kind) {
    String parameters = kind.equals("record") ? "(int balance)" : "";
    String body =
        switch (kind) {
          case "class" -> "  private Account() {}";
          case "abstract sealed class" -> "  static non-sealed class Sub extends Account {}";
          default -> "";
        };
    String source =
        HEAD
            + """
            %s Account%s {
            %s
              @Accessor public int count() { return 1; }
            %s
            }
            """
                .formatted(
                    kind,
                    parameters,
                    body,
                    kind.equals("record") ? "@Accessor public int balance() { return 2; }" : "");

    assertThat(Compiled.withProcessor(source).linesWithErrors(source))
        .containsExactly("%s Account%s {".formatted(kind, parameters));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "System.currentTimeMillis()",
        "System.nanoTime()",
        "System.identityHashCode(this)",
        "System.getenv().size()",
        "(long) Math.random()",
        "UUID.randomUUID().hashCode()",
        "java.time.Instant.now().toEpochMilli()",
        "java.time.LocalDate.now().getYear()",
        "new Random().nextLong()",
        "new Date().getTime()",
        "ThreadLocalRandom.current().nextLong()",
        "Thread.currentThread().threadId()",
        "((LongSupplier) System::nanoTime).getAsLong()",
        "helper()",
        "java.time.DayOfWeek.MONDAY.hashCode()"
      })
  void timeAndChanceInAMutatorAreReported(String expression) {
    String source =
        HEAD
            + """
            class Account {
              private long balance;

              @Mutator public void deposit(long amount) {
                balance += amount + %s;
              }
              @Accessor public long balance() { return balance + System.nanoTime(); }
              private long helper() { return System.nanoTime(); }
              private long unused() { return System.nanoTime(); }
            }
            """
                .formatted(expression);

    Compiled compiled = Compiled.withProcessor(source);

    assertThat(compiled.worked()).isFalse();
    assertThat(compiled.linesWithErrors(source))
        .containsExactly(
            expression.equals("helper()")
                ? "private long helper() { return System.nanoTime(); }"
                : "balance += amount + %s;".formatted(expression));
    assertThat(compiled.errors().getFirst()).contains("Pass what it gives as an argument");
  }

  @Test
  void chanceThatIsSeededAndTimeThatIsAnArgumentAreNone() {
    String source =
        HEAD
            + """
            class Account {
              private long balance;

              @Mutator public void deposit(long seed, java.time.Instant now) {
                balance += new Random(seed).nextLong() + now.toEpochMilli();
              }
              @SuppressWarnings("corfu")
              @MutatorAccessor public long timed() {
                return System.nanoTime();
              }
            }
            """;

    Compiled compiled = Compiled.withProcessor(source);

    assertThat(compiled.diagnostics()).isEmpty();
    assertThat(compiled.has("bank.Account_CorfuType")).isTrue();
  }

  @Test
  void timeInAClassInsideOfAnotherIsReportedToo() {
    String source =
        HEAD
            + """
            class Bank {
              static class Account {
                private long at;

                @Mutator public void touch() {
                  at = System.currentTimeMillis();
                }
              }
            }
            """;

    assertThat(Compiled.withProcessor(source).linesWithErrors(source))
        .containsExactly("at = System.currentTimeMillis();");
  }

  @Test
  void theOrderOfAHashMapIsWarnedOf() {
    String source =
        HEAD
            + """
            class Account {
              private HashMap<String, Long> declared = new HashMap<>();
              private Map<String, Long> made = new HashMap<>();
              private Map<String, Long> ordered = new LinkedHashMap<>();
              private String last = "";

              @Mutator public void visit() {
                for (String each : declared.keySet()) { last = each; }
                made.forEach((key, value) -> last = key);
                for (String each : ordered.keySet()) { last = each; }
                last += made.get("a");
              }
            }
            """;

    Compiled compiled = Compiled.withProcessor(source);

    assertThat(compiled.worked()).isTrue();
    assertThat(compiled.lines(source, Diagnostic.Kind.WARNING))
        .containsExactly(
            "for (String each : declared.keySet()) { last = each; }",
            "made.forEach((key, value) -> last = key);");
  }

  @Test
  void whatOnlyAnotherSerializerCanWriteMayBeSaidToBeIntended() {
    String source =
        HEAD
            + """
            @SuppressWarnings("corfu")
            class Account {
              private final List<String> names = new ArrayList<>();
              @Mutator public void later(ConcurrentHashMap<String, Long> map) {}
            }
            """;

    assertThat(Compiled.withProcessor(source).diagnostics()).isEmpty();
  }

  @Test
  void aBaseMayLeaveWhatItInheritsToThoseWhoExtendIt() {
    String base =
        HEAD
            + """
            interface Base<E> extends Iterable<E> {
              @Mutator void add(E element);
            }
            """;
    String sample =
        HEAD
            + """
            interface Sample<E> extends Base<E> {
              @TransactionalMethod(readOnly = true) @Override
              default void forEach(Consumer<? super E> action) {}
              @Accessor @Override Iterator<E> iterator();
              @Accessor @Override Spliterator<E> spliterator();
            }
            """;

    Compiled compiled = Compiled.withProcessor(base, sample);

    assertThat(compiled.diagnostics()).isEmpty();
    assertThat(compiled.has("bank.Sample_CorfuType")).isTrue();
    assertThat(compiled.has("bank.Base_CorfuType")).isFalse();
  }

  @Test
  void whatABaseDeclaresItselfItHasToSay() {
    String source =
        HEAD
            + """
            abstract class Base implements Iterable<String> {
              @Mutator void add(String element) {}
              public void forgotten() {}
            }
            """;

    assertThat(Compiled.withProcessor(source).linesWithErrors(source))
        .containsExactly("public void forgotten() {}");
  }

  @Test
  void aPrivateClassIsLeftToRunTime() {
    String source =
        HEAD
            + """
            class Bank {
              private static class Account {
                Account() {}
                @Mutator public void touch() {}
              }
              Object make() { return new Account(); }
            }
            """;

    Compiled compiled = Compiled.withProcessor(source);

    assertThat(compiled.errors()).isEmpty();
    assertThat(compiled.of(Diagnostic.Kind.NOTE))
        .singleElement()
        .satisfies(
            note -> assertThat(note.getMessage(null)).contains("bank.Bank.Account is made at run"));
    assertThat(compiled.has("bank.Bank_Account_CorfuType")).isFalse();
  }
}
