package corfu.objects.processor;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.objects.generated.ObjectTypes;
import corfu.objects.type.ObjectType;
import java.lang.reflect.Constructor;
import org.junit.jupiter.api.Test;

/** Findings about classes that only inherit their annotations. */
class HeirsTest {

  private static final String HEAD =
      """
      package bank;

      import corfu.objects.annotation.*;
      import java.util.*;
      import java.util.function.*;

      """;

  private static final String REGISTRY =
      HEAD
          + """
          interface Registry<V> {
            @Mutator void put(String key, V value);
            @Accessor V get(String key);
            @TransactionalMethod default void move(String from, String to) {}
          }
          """;

  private static final String ACCOUNT =
      HEAD
          + """
          public class Account {
            long balance;
            @Mutator public void deposit(long amount) { balance += amount; }
            @Accessor public long balance() { return balance; }
          }
          """;

  @Test
  void whatIsBehindAnInterfaceIsLookedInto() {
    String source =
        HEAD
            + """
            final class TreeRegistry implements Registry<Long> {
              private final TreeMap<String, Long> map = new TreeMap<>();
              TreeRegistry(int unused) {}
              @Override public void put(String key, Long value) {
                map.put(key + System.nanoTime(), value);
                helper();
              }
              @Override public Long get(String key) {
                return map.get(key + System.nanoTime());
              }
              private void helper() { map.remove(UUID.randomUUID().toString()); }
              public void more() { map.remove("" + System.nanoTime()); }
            }
            """;

    assertThat(Compiled.withProcessor(REGISTRY, source).linesWithErrors(source))
        .containsExactly(
            "map.put(key + System.nanoTime(), value);",
            "private void helper() { map.remove(UUID.randomUUID().toString()); }");
  }

  @Test
  void whatItMakesOfAnArgumentHasToBeSuchAsCanBeWritten() {
    String source =
        HEAD
            + """
            class Actions implements Registry<Runnable> {
              @Override public void put(
                  String key,
                  Runnable value) {}
              @Override public Runnable get(String key) { return () -> {}; }
            }
            """;

    Compiled compiled = Compiled.withProcessor(REGISTRY, source);

    assertThat(compiled.linesWithErrors(source)).containsExactly("Runnable value) {}");
    assertThat(compiled.errors().getFirst())
        .startsWith(
            "parameter 2 of bank.Actions.put(String,Runnable): a java.lang.Runnable can't be"
                + " written");
  }

  @Test
  void soIsWhatIsBehindItByAClassBetween() {
    String between =
        HEAD
            + """
            abstract class Skeleton<V> implements Registry<V> {
              long puts;
              @Override public void put(String key, V value) {
                puts += System.nanoTime();
              }
            }
            """;
    String source =
        HEAD
            + """
            class Outer {
              private static class TreeRegistry extends Skeleton<Long> {
                @Override public void put(String key, Long value) {
                  puts += System.currentTimeMillis();
                }
                @Override public Long get(String key) { return puts; }
              }
              Object make() { return new TreeRegistry(); }
            }
            """;

    assertThat(Compiled.withProcessor(REGISTRY, source, between).errors())
        .hasSize(2)
        .anySatisfy(said -> assertThat(said).startsWith("System.nanoTime in a mutator"))
        .anySatisfy(said -> assertThat(said).startsWith("System.currentTimeMillis in a mutator"));
  }

  /** The stand-in of the interface receives the calls, so the class may have any form. */
  @Test
  void whatIsBehindAnInterfaceMayBeFinalAndHaveMoreMethods() throws Exception {
    String source =
        HEAD
            + """
            final class TreeRegistry implements Registry<Long> {
              private TreeMap<String, Long> map = new TreeMap<>();
              @Override public void put(String key, Long value) { map.put(key, value); }
              @Override public Long get(String key) { return map.get(key); }
              public int size() { return map.size(); }
            }
            """;

    Compiled compiled = Compiled.withProcessor(REGISTRY, source);

    assertThat(compiled.diagnostics()).isEmpty();
    assertThat(compiled.has("bank.TreeRegistry_CorfuType")).isFalse();
    Class<?> behind = compiled.load("bank.TreeRegistry");
    ObjectType<?> type = typeOf(behind.getInterfaces()[0], behind);
    assertThat(type.operations()).hasSize(3);
  }

  @SuppressWarnings("unchecked") // it implements the interface
  private static <T> ObjectType<T> typeOf(Class<T> type, Class<?> behind) throws Exception {
    Constructor<?> constructor = behind.getDeclaredConstructor();
    constructor.setAccessible(true);
    return ObjectTypes.of(
        type,
        () -> {
          try {
            return (T) constructor.newInstance();
          } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
          }
        });
  }

  @Test
  void aSubclassIsToldWhatItsMethodsLack() {
    String source =
        HEAD
            + """
            class Savings extends Account {
              private final List<Long> rates = new ArrayList<>();
              @Override public void deposit(long amount) {
                balance += amount + System.nanoTime();
              }
              public void interest() {}
            }
            """;

    Compiled compiled = Compiled.withProcessor(ACCOUNT, source);

    assertThat(compiled.linesWithErrors(source))
        .containsExactlyInAnyOrder(
            "private final List<Long> rates = new ArrayList<>();", "public void interest() {}");
    assertThat(compiled.errors())
        .anySatisfy(
            said ->
                assertThat(said)
                    .startsWith("bank.Savings.interest() does not say what it does to the object")
                    .endsWith("(if it is no replicated object: @SuppressWarnings(\"corfu\"))"));
  }

  @Test
  void timeInWhatASubclassOverridesIsReported() {
    String source =
        HEAD
            + """
            class Savings extends Account {
              @Override public void deposit(long amount) {
                balance += amount + System.nanoTime();
              }
            }
            """;

    assertThat(Compiled.withProcessor(ACCOUNT, source).linesWithErrors(source))
        .containsExactly("balance += amount + System.nanoTime();");
  }

  @Test
  void aSubclassThatNothingCanStandForIsReportedAtItsHead() {
    String source = HEAD + "final class Savings extends Account {\n}\n";

    assertThat(Compiled.withProcessor(ACCOUNT, source).linesWithErrors(source))
        .containsExactly("final class Savings extends Account {");
  }

  @Test
  void anInterfaceThatExtendsAnotherHasToSayWhatItAdds() {
    String source = HEAD + "interface Named extends Registry<Long> {\n  String name();\n}\n";
    String silent = HEAD + "interface Silent extends Registry<Long> {\n}\n";

    Compiled compiled = Compiled.withProcessor(REGISTRY, source, silent);

    assertThat(compiled.errors()).hasSize(1);
    assertThat(compiled.linesWithErrors(source)).containsExactly("String name();");
    assertThat(Compiled.withProcessor(REGISTRY, silent).has("bank.Silent_CorfuType")).isTrue();
  }

  @Test
  void aSubclassWithNothingOfItsOwnHasItsType() {
    String source = HEAD + "class Savings extends Account {\n}\n";

    Compiled compiled = Compiled.withProcessor(ACCOUNT, source);

    assertThat(compiled.diagnostics()).isEmpty();
    assertThat(compiled.has("bank.Savings_CorfuType")).isTrue();
  }

  @Test
  void aSubclassThatIsNoObjectSaysSo() {
    String source =
        HEAD
            + """
            @SuppressWarnings("corfu")
            final class Fake extends Account {
              private final List<Long> deposits = new ArrayList<>();
              @Override public void deposit(long amount) { deposits.add(System.nanoTime()); }
              public List<Long> deposits() { return deposits; }
            }
            """;

    Compiled compiled = Compiled.withProcessor(ACCOUNT, source);

    assertThat(compiled.diagnostics()).isEmpty();
    assertThat(compiled.has("bank.Fake_CorfuType")).isFalse();
  }

  @Test
  void classesThatHaveNothingToDoWithItAreLeftAlone() {
    String source =
        HEAD
            + """
            final class Clock implements LongSupplier {
              final long start = System.nanoTime();
              @Override public long getAsLong() { return System.nanoTime() - start; }
              public void forgotten() {}
            }
            """;

    assertThat(Compiled.withProcessor(source).diagnostics()).isEmpty();
  }
}
