package corfu.objects.rule;

import corfu.objects.rule.Verdict.Finding;
import corfu.objects.rule.Verdict.Planned;
import corfu.objects.type.Operation;
import corfu.objects.type.Operation.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The rules. One use, one class, one thread. */
public final class ClassRules<M> {

  private final ClassSketch<M> sketch;
  private final List<Finding<M>> findings = new ArrayList<>();
  private final List<Planned<M>> operations = new ArrayList<>();
  private final Map<String, MethodSketch<M>> names = new HashMap<>();

  private ClassRules(ClassSketch<M> sketch) {
    this.sketch = sketch;
  }

  /** Returns the rules' verdict on a class. */
  public static <M> Verdict<M> verdictOn(ClassSketch<M> sketch) {
    return new ClassRules<>(sketch).verdict();
  }

  private Verdict<M> verdict() {
    checkClass();
    if (!findings.isEmpty()) {
      return new Verdict<>(findings, operations); // the rest would be about the same
    }
    sketch.methods().stream()
        .sorted(Comparator.comparing(MethodSketch::signature))
        .forEach(this::visit);
    if (operations.isEmpty() && findings.isEmpty()) {
      find(sketch.name() + " has no methods that could be called");
    }
    return new Verdict<>(findings, operations);
  }

  private void checkClass() {
    if (sketch.is(ClassSketch.Trait.FINAL)) {
      find(sketch.name() + " is final, so nothing can be put in its place; make it not final");
    } else if (sketch.is(ClassSketch.Trait.SEALED)) {
      find(sketch.name() + " is sealed, so nothing can be put in its place; make it not sealed");
    } else if (!sketch.is(ClassSketch.Trait.INTERFACE)) {
      if (sketch.is(ClassSketch.Trait.NO_CONSTRUCTOR)) {
        find(noConstructor(sketch.name()));
      } else if (sketch.is(ClassSketch.Trait.PRIVATE_CONSTRUCTOR)) {
        find(
            "%s, or its constructor without parameters, is private, so nothing can be put in its"
                    .formatted(sketch.name())
                + " place; make it other than private");
      }
    }
  }

  /** Returns the message for a class that has no constructor without parameters. */
  public static String noConstructor(String type) {
    return type + " needs a constructor without parameters; an inner class is static";
  }

  /** Returns the message for an abstract class of which an instance is needed. */
  public static String isAbstract(String type) {
    return type
        + " is abstract: say what is behind it, as in ObjectTypes.of(Registry.class,"
        + " TreeRegistry::new)";
  }

  private void visit(MethodSketch<M> method) {
    Optional<List<OperationDeclaration>> said =
        method.declarations().stream().filter(each -> !each.isEmpty()).findFirst();
    if (said.isPresent() && said.get().size() > 1) {
      find(method, " has more than one of our annotations");
    } else if (said.isPresent()) {
      plan(method, said.get().getFirst());
    } else if (method.is(MethodSketch.Trait.OF_OBJECT)) {
      plan(method, new OperationDeclaration(Kind.ACCESSOR, ""));
    } else if (method.is(MethodSketch.Trait.PUBLIC)) {
      find(
          method,
          " does not say what it does to the object: annotate it with @Accessor, @Mutator,"
              + " @MutatorAccessor or @TransactionalMethod, or make it other than public."
              + " Where no method has annotations, name those that change the object");
    }
  }

  private void plan(MethodSketch<M> method, OperationDeclaration said) {
    check(method, said.kind());
    String name = said.name().isEmpty() ? method.signature() : said.name();
    if (name.length() > Operation.LONGEST_NAME) {
      find(
          method,
          " would have a name of more than %d characters in the log: give it a shorter one"
              .formatted(Operation.LONGEST_NAME));
      return;
    }
    @Nullable MethodSketch<M> other = names.putIfAbsent(name, method);
    if (other != null) {
      findings.add(
          new Finding<>(
              Optional.of(method.method()),
              "%s and %s would both be called %s in the log: name one of them in its annotation"
                  .formatted(other.fullName(), method.fullName(), name)));
    }
    operations.add(
        new Planned<>(method.method(), name, said.kind(), KeyPlace.among(method.parameters())));
  }

  private void check(MethodSketch<M> method, Kind kind) {
    if (method.is(MethodSketch.Trait.STATIC)) {
      find(method, " is static, so it is of no object; remove its annotation");
    } else if (method.is(MethodSketch.Trait.PRIVATE)) {
      find(method, " is private, so calls of it can't be taken; remove its annotation");
    } else if (method.is(MethodSketch.Trait.FINAL)) {
      find(method, " is final, so calls of it can't be taken; make it not final");
    }
    boolean isVoid = method.is(MethodSketch.Trait.VOID);
    if (kind == Kind.MUTATOR && !isVoid) {
      find(method, " returns something: make it a @MutatorAccessor, or void");
    }
    if (kind == Kind.ACCESSOR && isVoid) {
      find(method, " is an @Accessor and returns nothing; is it a @Mutator?");
    }
    boolean hasBody = !method.is(MethodSketch.Trait.ABSTRACT);
    if ((kind == Kind.TRANSACTION || kind == Kind.READ_ONLY_TRANSACTION) && !hasBody) {
      find(method, " is a @TransactionalMethod, which runs where it is called, and has no body");
    }
    checkKeys(method);
  }

  private void checkKeys(MethodSketch<M> method) {
    if (method.parameters().stream().filter(ParameterSketch::tellsKeys).count() > 1
        || method.parameters().stream().anyMatch(each -> each.isKey() && each.isKeys())) {
      find(
          method, " has more than one @Key or @Keys: name one, or none, which is the whole object");
    }
    for (ParameterSketch parameter : method.parameters()) {
      if (parameter.isKeys() && !parameter.mayHoldKeys()) {
        find(
            method,
            " has @Keys that are neither a map nor a collection, but a %s: is it a @Key?"
                .formatted(parameter.type()));
      }
    }
  }

  private void find(String message) {
    findings.add(new Finding<>(Optional.empty(), message));
  }

  private void find(MethodSketch<M> method, String message) {
    findings.add(new Finding<>(Optional.of(method.method()), method.fullName() + message));
  }
}
