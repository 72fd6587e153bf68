package corfu.objects.processor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.objects.generated.CompiledType;
import corfu.objects.generated.ObjectTypeException;
import corfu.objects.generated.ObjectTypes;
import corfu.objects.type.Invoker;
import corfu.objects.type.ObjectType;
import corfu.objects.type.Operation;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A generated object type compiles without a warning, and equals the type made at run time. */
public class CompiledTypeTest {

  private static final String HEAD =
      """
      package bank;

      import corfu.objects.annotation.*;
      import java.io.IOException;
      import java.util.*;

      """;

  static List<String> sources() {
    return List.of(
        """
        public class Sample {
          private long a;
          private int[] b = {};
          @Mutator public void all(
              boolean z, byte b, short s, char c, int i, long l, float f, double d, String t) {}
          @Mutator void arrays(int[] a, String[][] b, Object... c) { this.b = a; }
          @MutatorAccessor protected char near(Character x) throws IOException { return x; }
          @Accessor public int[] b() { return b; }
          @TransactionalMethod public long sum(long x) throws IOException { return x + a; }
          @TransactionalMethod(readOnly = true) public void nothing() {}
          @Override public String toString() { return ""; }
        }
        """,
        """
        class Sample<K extends Comparable<K>, V> {
          private Map<K, V> map = new TreeMap<>();
          @MutatorAccessor public V put(@Key K key, V value) { return map.put(key, value); }
          @Mutator public void putAll(@Keys Map<? extends K, ? extends V> more) {}
          @Accessor public V get(@Key K key) { return map.get(key); }
          @Accessor public <T extends Comparable<T>> List<T> sorted(List<T> list, T[] more) {
            return list;
          }
          @TransactionalMethod public V twice(K key, V value) { put(key, value); return get(key); }
        }
        """,
        """
        interface Holder<T> {
          @Mutator void set(T value);
          @Accessor T get();
          @TransactionalMethod default T swap(T value) { T old = get(); set(value); return old; }
        }

        abstract class Half<T> implements Holder<T> {
          @Mutator @Override public void set(T value) {}
          @Deprecated @Accessor public List<T> all() { return List.of(); }
        }

        class Sample extends Half<String> {
          Sample() throws IOException {}
          @Mutator @Override public void set(String value) {}
          @Accessor @Override public String get() { return ""; }
          @Override public String swap(String value) { return super.swap(value); }
        }
        """,
        """
        interface Above {
          @Accessor int size();
          @TransactionalMethod default int twice() { return 2 * size(); }
        }

        interface Sample extends Above {
          @Mutator void add(@Key String name, Color color);
          record Entry(String name, Color color) {}
          enum Color { RED, GREEN }
          @Accessor List<Entry> entries();
          @Accessor @Override int hashCode();
        }
        """);
  }

  @ParameterizedTest
  @MethodSource("sources")
  void itIsTheSameAsWhatIsMadeAtRunTime(String source) {
    String[] files =
        source.lines().collect(Collectors.joining("\n")).split("\n\n(?=\\w)"); // one per class
    for (int i = 0; i < files.length; i++) {
      files[i] = HEAD + files[i];
    }
    Compiled processed = Compiled.withProcessor(files);
    assertThat(processed.diagnostics())
        .filteredOn(each -> !each.getMessage(null).contains("[this-escape]"))
        .isEmpty();
    ObjectType<?> compiled = typeOf(processed);
    ObjectType<?> made = typeOf(Compiled.withoutProcessor(files));

    assertThat(compiled).hasToString("object type bank.Sample, compiled");
    assertThat(made).hasToString("object type bank.Sample");
    assertThat(compiled.name()).isEqualTo(made.name());
    assertThat(compiled.stateName()).isEqualTo(made.stateName());
    assertThat(described(compiled)).isEqualTo(described(made));
  }

  /** An interface is opened with a class behind it. Which class does not matter here. */
  @SuppressWarnings({"unchecked", "rawtypes"})
  private static ObjectType<?> typeOf(Compiled compiled) {
    Class type = compiled.load("bank.Sample");
    return type.isInterface()
        ? ObjectTypes.of(
            type,
            () ->
                Proxy.newProxyInstance(
                    type.getClassLoader(), new Class<?>[] {type}, (a, b, c) -> null))
        : ObjectTypes.of(type);
  }

  private static List<String> described(ObjectType<?> type) {
    List<String> described = new ArrayList<>();
    for (Operation operation : type.operations()) {
      Object[] arguments = {Set.of("x"), Set.of("y"), Set.of("z")};
      described.add(
          "%s %s %s"
              .formatted(
                  operation.name(),
                  operation.kind(),
                  operation.keys().map(keys -> keys.of(arguments))));
    }
    return described;
  }

  /** Applies calls as a log would, but without a log. */
  private static final class Direct<T> implements Invoker {
    final ObjectType<T> type;
    final T state;
    final List<String> calls = new ArrayList<>();

    Direct(ObjectType<T> type) {
      this.type = type;
      this.state = type.create();
    }

    @Override
    public Object invoke(int operation, Object[] arguments) throws Throwable {
      calls.add(type.operations().get(operation).name() + Arrays.asList(arguments));
      return type.apply(state, operation, arguments);
    }

    @Override
    public Object transact(int operation, Body body) throws Throwable {
      calls.add("begin " + type.operations().get(operation).name());
      try {
        return body.run();
      } finally {
        calls.add("end");
      }
    }
  }

  private static final String ACCOUNT =
      HEAD
          + """
          class Bank {
            static class Account implements Purse {
              private long balance;

              @Mutator @Override public void deposit(long amount) { balance += amount; }
              @MutatorAccessor @Override public long withdraw(long amount) throws IOException {
                if (amount > balance) { throw new IOException("too little"); }
                return balance -= amount;
              }
              @TransactionalMethod @Override public long move(long amount) throws IOException {
                deposit(amount);
                return withdraw(amount);
              }
              @Accessor @Override public long balance() { return balance; }
            }
          }
          """
              .replace("Purse", CompiledTypeTest.class.getName() + ".Purse");

  /** Gives the test access to a class that it compiles. */
  public interface Purse {
    void deposit(long amount);

    long withdraw(long amount) throws IOException;

    long move(long amount) throws IOException;

    long balance();
  }

  @Test
  void callsReachTheInvokerAndWhatTheyThrowTheirCaller() throws Exception {
    Direct<? extends Purse> direct = new Direct<>(accounts());
    Purse purse = direct.type.replica(direct);

    purse.deposit(3);

    assertThat(purse.move(4)).isEqualTo(3);
    assertThatThrownBy(() -> purse.withdraw(8))
        .isExactlyInstanceOf(IOException.class)
        .hasMessage("too little");
    assertThat(purse.balance()).isEqualTo(3);
    assertThat(direct.calls)
        .containsExactly(
            "deposit(long)[3]",
            "begin move(long)",
            "deposit(long)[4]",
            "withdraw(long)[4]",
            "end",
            "withdraw(long)[8]",
            "balance()[]");
  }

  @SuppressWarnings("unchecked") // as in the source above
  private static ObjectType<? extends Purse> accounts() {
    Compiled compiled = Compiled.withProcessor(ACCOUNT);
    ObjectType<? extends Purse> type =
        ObjectTypes.of((Class<? extends Purse>) compiled.load("bank.Bank$Account"));
    assertThat(type).isInstanceOf(CompiledType.class);
    return type;
  }

  /** Gives the test access to a class that it compiles. */
  public interface Overloaded {
    String remove(int place);

    String remove(Object element);

    String remove(Integer element);

    String remove(long place);
  }

  @Test
  @SuppressWarnings("unchecked") // as in the source here
  void aCallReachesTheMethodOfItsParameterTypesAmongOthersOfItsName() {
    Compiled compiled =
        Compiled.withProcessor(
            HEAD
                + """
                class Sample implements %s.Overloaded {
                  @MutatorAccessor @Override public String remove(int p) { return "int"; }
                  @MutatorAccessor @Override public String remove(Object e) { return "Object"; }
                  @MutatorAccessor @Override public String remove(Integer e) { return "Integer"; }
                  @MutatorAccessor @Override public String remove(long p) { return "long"; }
                }
                """
                    .formatted(CompiledTypeTest.class.getName()));
    Direct<? extends Overloaded> direct =
        new Direct<>(ObjectTypes.of((Class<? extends Overloaded>) compiled.load("bank.Sample")));
    Overloaded sample = direct.type.replica(direct);

    assertThat(sample.remove(1)).isEqualTo("int");
    assertThat(sample.remove((Object) 1)).isEqualTo("Object");
    assertThat(sample.remove(Integer.valueOf(1))).isEqualTo("Integer");
    assertThat(sample.remove(1L)).isEqualTo("long");
  }

  @Test
  void whatAnotherVersionOfTheProcessorLeftIsReported() {
    Compiled compiled =
        Compiled.withoutProcessor(
            "package bank;\nclass Sample { @corfu.objects.annotation.Mutator public void a() {} }",
            "package bank;\nclass Sample_CorfuType { Sample_CorfuType(int version) {} }");
    Class<?> type = compiled.load("bank.Sample");

    assertThatThrownBy(() -> ObjectTypes.of(type))
        .isInstanceOf(ObjectTypeException.class)
        .hasMessageContaining("Compile bank.Sample again");
  }

  @Test
  void aConstructorThatThrowsIsNamed() {
    Compiled compiled =
        Compiled.withProcessor(
            "package bank;\nclass Sample { Sample() { throw new RuntimeException(\"no\"); }"
                + " @corfu.objects.annotation.Mutator public void a() {} }");

    assertThatThrownBy(() -> ObjectTypes.of(compiled.load("bank.Sample")).create())
        .isInstanceOf(ObjectTypeException.class)
        .hasMessageContaining("the constructor of bank.Sample failed");
  }
}
