package corfu.objects.processor;

import corfu.objects.generated.CompiledType;
import corfu.objects.rule.KeyPlace;
import corfu.objects.rule.Verdict.Planned;
import corfu.objects.type.Operation.Kind;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.ExecutableType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;

/**
 * Writes the source of a class's object type. All names are fully qualified and all types are
 * erased: so the source needs no imports, and type parameters need no care.
 */
final class TypeSource {

  private final TypeElement type;
  private final Model model;
  private final List<Planned<ExecutableElement>> operations;
  private final String typeName;
  private final Set<String> valueTypes;

  TypeSource(TypeElement type, Model model, List<Planned<ExecutableElement>> operations) {
    this.type = type;
    this.model = model;
    this.operations = operations;
    this.typeName = model.sourceName(type.asType());
    this.valueTypes = new LinkedHashSet<>();
    for (TypeMirror each : new ValueTypes(model).of(type, operations)) {
      valueTypes.add(model.sourceName(each));
    }
  }

  /** Returns the simple name of the object type. */
  String name() {
    String binary = model.binaryName(type);
    return CompiledType.nameFor(binary.substring(binary.lastIndexOf('.') + 1));
  }

  String qualifiedName() {
    String inPackage = model.packageOf(type).getQualifiedName().toString();
    return inPackage.isEmpty() ? name() : inPackage + "." + name();
  }

  /**
   * Returns a method or type that source in the class's package can't call or name, or empty if
   * there is none.
   */
  Optional<String> obstacle() {
    var from = model.packageOf(type);
    List<TypeMirror> named = new ArrayList<>();
    named.add(type.asType());
    named.addAll(new ValueTypes(model).of(type, operations));
    for (Planned<ExecutableElement> each : operations) {
      ExecutableType method = inType(each);
      named.addAll(method.getParameterTypes());
      named.add(method.getReturnType());
      if (!Model.is(each.method(), Modifier.PUBLIC)
          && !model.packageOf(each.method()).equals(from)) {
        return Optional.of("method " + each.name());
      }
    }
    return named.stream()
        .filter(each -> !model.isNameable(each, from))
        .findFirst()
        .map(model::sourceName);
  }

  /**
   * Returns the method's type as a member of the class, with the type parameters of superclasses
   * resolved.
   */
  private ExecutableType inType(Planned<ExecutableElement> operation) {
    DeclaredType raw = (DeclaredType) model.types().erasure(type.asType());
    DeclaredType of = type.getTypeParameters().isEmpty() ? (DeclaredType) type.asType() : raw;
    return (ExecutableType) model.types().asMemberOf(of, operation.method());
  }

  // -------------------------------------------------------------------------------------- source

  String source() {
    String inPackage = model.packageOf(type).getQualifiedName().toString();
    return (inPackage.isEmpty() ? "" : "package " + inPackage + ";\n\n")
        + "/** The object type of {@link %s}. */\n".formatted(typeName)
        + generatedBy()
        + """
        @SuppressWarnings({
          "all", "auxiliaryclass", "cast", "deprecation", "overrides", "rawtypes", "removal",
          "serial", "this-escape", "unchecked", "NullAway"
        })
        """
        + "final class %s extends corfu.objects.generated.CompiledType<%s> {\n\n"
            .formatted(name(), typeName)
        + constructor()
        + create()
        + apply()
        + standIn()
        + "}\n";
  }

  private String generatedBy() {
    String annotation = "javax.annotation.processing.Generated";
    var module = model.elements().getModuleOf(type);
    boolean isVisible =
        module == null
            ? model.elements().getTypeElement(annotation) != null
            : model.elements().getTypeElement(module, annotation) != null;
    return isVisible ? "@%s(\"%s\")\n".formatted(annotation, ObjectProcessor.class.getName()) : "";
  }

  private String constructor() {
    String described = operations.stream().map(this::describe).collect(joining());
    String values =
        valueTypes.stream().map(each -> "            " + each + ".class").collect(joining());
    return """
      %s() {
        super(
            %s.class,
            java.util.List.of(
    %s),
            java.util.List.<java.lang.reflect.Type>of(
    %s));
      }

    """
        .formatted(name(), typeName, described, values);
  }

  private static Collector<CharSequence, ?, String> joining() {
    return Collectors.joining(",\n");
  }

  private String describe(Planned<ExecutableElement> operation) {
    String keys =
        switch (operation.keys()) {
          case KeyPlace.None none -> "java.util.Optional.empty()";
          case KeyPlace.One one -> keys("argument", one.argument());
          case KeyPlace.Several several -> keys("elementsOf", several.argument());
        };
    String kind = "corfu.objects.type.Operation.Kind." + operation.kind();
    return "            new corfu.objects.type.Operation(%s, %s, %s)"
        .formatted(model.elements().getConstantExpression(operation.name()), kind, keys);
  }

  private static String keys(String what, int argument) {
    return "java.util.Optional.of(corfu.objects.type.Operation.Keys.%s(%d))"
        .formatted(what, argument);
  }

  private String create() {
    if (type.getKind().isInterface() || Model.is(type, Modifier.ABSTRACT)) {
      return "";
    }
    return """
      @Override
      public %1$s create() {
        try {
          return new %1$s();
        } catch (Throwable failure) {
          throw constructorFailed(failure);
        }
      }

    """
        .formatted(typeName);
  }

  private String apply() {
    String cases =
        IntStream.range(0, operations.size()).mapToObj(this::applied).collect(Collectors.joining());
    return """
      @Override
      public Object apply(%s state, int operation, Object[] arguments) throws Throwable {
        return switch (operation) {
    %s      default -> throw noOperation(operation);
        };
      }

    """
        .formatted(typeName, cases);
  }

  private String applied(int place) {
    Planned<ExecutableElement> operation = operations.get(place);
    List<? extends TypeMirror> parameters = inType(operation).getParameterTypes();
    String arguments =
        IntStream.range(0, parameters.size())
            .mapToObj(i -> "(%s) arguments[%d]".formatted(model.sourceName(parameters.get(i)), i))
            .collect(Collectors.joining(", "));
    String call = "state.%s(%s)".formatted(operation.method().getSimpleName(), arguments);
    return isVoid(operation)
        ? "      case %d -> {\n        %s;\n        yield null;\n      }\n".formatted(place, call)
        : "      case %d -> %s;\n".formatted(place, call);
  }

  private String boxed(TypeMirror type) {
    return type.getKind().isPrimitive()
        ? model.types().boxedClass(model.types().getPrimitiveType(type.getKind())).toString()
        : model.sourceName(type);
  }

  private boolean isVoid(Planned<ExecutableElement> operation) {
    return inType(operation).getReturnType().getKind() == TypeKind.VOID;
  }

  private String standIn() {
    String methods =
        IntStream.range(0, operations.size())
            .mapToObj(this::delegated)
            .collect(Collectors.joining("\n"));
    boolean isInterface = type.getKind().isInterface();
    String head =
        isInterface
            ? "implements %s, corfu.objects.type.Replica".formatted(typeName)
            : "extends %s implements corfu.objects.type.Replica".formatted(typeName);
    return """
      @Override
      protected %s standIn(corfu.objects.type.Invoker invoker) throws Throwable {
        return new StandIn(invoker);
      }

      private static final class StandIn %s {

        private final transient corfu.objects.type.Invoker corfuInvoker;

        StandIn(corfu.objects.type.Invoker invoker)%s {
          this.corfuInvoker = invoker;
        }

        @Override
        public corfu.objects.type.Invoker corfuInvoker() {
          return corfuInvoker;
        }

    %s  }
    """
        .formatted(typeName, head, thrownByConstructor(), methods);
  }

  private String thrownByConstructor() {
    List<? extends TypeMirror> thrown =
        ModelClass.constructorOf(type)
            .<List<? extends TypeMirror>>map(ExecutableElement::getThrownTypes)
            .orElse(List.of());
    return thrown.isEmpty()
        ? ""
        : thrown.stream().map(model::sourceName).collect(Collectors.joining(", ", " throws ", ""));
  }

  private String delegated(int place) {
    Planned<ExecutableElement> operation = operations.get(place);
    ExecutableElement method = operation.method();
    ExecutableType inType = inType(operation);
    int count = inType.getParameterTypes().size();
    String parameters =
        IntStream.range(0, count)
            .mapToObj(
                i ->
                    parameterType(
                            inType.getParameterTypes().get(i), method.isVarArgs() && i == count - 1)
                        + " p"
                        + i)
            .collect(Collectors.joining(", "));
    return """
        @Override
        %s%s %s(%s) {
          try {
            %s;
          } catch (Throwable failure) {
            throw %s.<RuntimeException>thrown(failure);
          }
        }
    """
        .formatted(
            visibility(method),
            model.sourceName(inType.getReturnType()),
            method.getSimpleName(),
            parameters,
            call(place, operation),
            name());
  }

  private String parameterType(TypeMirror type, boolean isVariable) {
    String name = model.sourceName(type);
    return isVariable ? name.substring(0, name.length() - 2) + "..." : name;
  }

  private static String visibility(ExecutableElement method) {
    if (Model.is(method, Modifier.PUBLIC)) {
      return "public ";
    }
    return Model.is(method, Modifier.PROTECTED) ? "protected " : "";
  }

  private String call(int place, Planned<ExecutableElement> operation) {
    String arguments =
        IntStream.range(0, operation.method().getParameters().size())
            .mapToObj(i -> "p" + i)
            .collect(Collectors.joining(", "));
    boolean isTransaction =
        operation.kind() == Kind.TRANSACTION || operation.kind() == Kind.READ_ONLY_TRANSACTION;
    String call =
        isTransaction
            ? "corfuInvoker.transact(%d, () -> %s)".formatted(place, body(operation, arguments))
            : "corfuInvoker.invoke(%d, new Object[] {%s})".formatted(place, arguments);
    return isVoid(operation)
        ? call
        : "return (%s) %s".formatted(boxed(inType(operation).getReturnType()), call);
  }

  private String body(Planned<ExecutableElement> operation, String arguments) {
    String outer = type.getKind().isInterface() ? typeName + ".super" : "super";
    String call = "%s.%s(%s)".formatted(outer, operation.method().getSimpleName(), arguments);
    return isVoid(operation) ? "{ %s; return null; }".formatted(call) : call;
  }
}
