package corfu.objects.processor;

import corfu.objects.annotation.Accessor;
import corfu.objects.annotation.Key;
import corfu.objects.annotation.Keys;
import corfu.objects.annotation.Mutator;
import corfu.objects.annotation.MutatorAccessor;
import corfu.objects.annotation.TransactionalMethod;
import corfu.objects.processor.Ancestry.Standing;
import corfu.objects.rule.ClassRules;
import corfu.objects.rule.ClassSketch;
import corfu.objects.rule.Verdict;
import corfu.objects.rule.Verdict.Finding;
import corfu.objects.rule.Verdict.Planned;
import java.io.IOException;
import java.io.Writer;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.ProcessingEnvironment;
import javax.annotation.processing.RoundEnvironment;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.Element;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.TypeKind;
import javax.lang.model.util.ElementFilter;
import javax.tools.Diagnostic;
import org.jspecify.annotations.Nullable;

/**
 * Checks classes and interfaces with annotated methods. It reports their errors, and writes an
 * object type for each class without errors.
 *
 * <p>It writes one file per class, from this class alone: so incremental builds compile no more
 * than that.
 */
public final class ObjectProcessor extends AbstractProcessor {

  private static final Set<String> ANNOTATIONS =
      Stream.of(
              Accessor.class,
              Mutator.class,
              MutatorAccessor.class,
              TransactionalMethod.class,
              Key.class,
              Keys.class)
          .map(Class::getName)
          .collect(Collectors.toUnmodifiableSet());

  /** The names of classes that refer to types which another processor may still generate. */
  private final Set<String> postponed = new LinkedHashSet<>();

  private Optional<ChanceWatch> watch = Optional.empty();

  /** All annotations: a class without any may extend or implement an annotated one. */
  @Override
  public Set<String> getSupportedAnnotationTypes() {
    return Set.of("*");
  }

  @Override
  public SourceVersion getSupportedSourceVersion() {
    return SourceVersion.latestSupported();
  }

  @Override
  public synchronized void init(ProcessingEnvironment environment) {
    super.init(environment);
    watch = ChanceWatch.over(environment);
  }

  @Override
  public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
    Model model = new Model(processingEnv.getElementUtils(), processingEnv.getTypeUtils());
    Map<String, TypeElement> types = new LinkedHashMap<>();
    for (String name : postponed) {
      @Nullable TypeElement type = model.elements().getTypeElement(name);
      if (type != null) {
        types.put(name, type);
      }
    }
    postponed.clear();
    for (TypeElement annotation : annotations) {
      if (ANNOTATIONS.contains(annotation.getQualifiedName().toString())) {
        for (Element element : round.getElementsAnnotatedWith(annotation)) {
          TypeElement type = Model.classOf(element);
          types.put(type.getQualifiedName().toString(), type);
        }
      }
    }
    Ancestry ancestry = new Ancestry(model, ANNOTATIONS);
    for (TypeElement root : ElementFilter.typesIn(round.getRootElements())) {
      for (TypeElement type : Ancestry.within(root)) {
        if (ancestry.of(type) != Standing.STRANGER) {
          types.putIfAbsent(type.getQualifiedName().toString(), type);
        }
      }
    }
    for (TypeElement type : types.values()) {
      if (ancestry.of(type) == Standing.BEHIND) {
        processBehind(type, model);
      } else {
        process(type, model, ancestry.of(type));
      }
    }
    return false;
  }

  /**
   * Checks a class that implements annotated interfaces. The class itself is never opened as an
   * object, so only the effects of its calls matter. Only methods that it does not inherit are
   * checked.
   */
  private void processBehind(TypeElement type, Model model) {
    ClassSketch<ExecutableElement> sketch = new ModelClass(type, model).sketch();
    ClassDiagnostics findings = new ClassDiagnostics(type, processingEnv.getMessager());
    List<Planned<ExecutableElement>> operations =
        ClassRules.verdictOn(sketch.behindAnInterface()).operations().stream()
            .filter(findings::isOwn)
            .toList();
    if (namesUnknown(operations)) {
      postponed.add(type.getQualifiedName().toString());
      return;
    }
    new ValueCheck(model, findings).checkArguments(operations);
    watch.ifPresent(each -> each.watch(type, operations, model));
  }

  /**
   * Checks a class that may be opened as an object, and writes its object type if it has no errors.
   *
   * <p>A base class may leave it to its subclasses to annotate the methods that it has inherited
   * itself; then it has no object type. A class without annotations of its own may not be meant as
   * an object; {@code @SuppressWarnings("corfu")} says so.
   */
  private void process(TypeElement type, Model model, Standing standing) {
    Verdict<ExecutableElement> verdict = ClassRules.verdictOn(new ModelClass(type, model).sketch());
    if (namesUnknown(verdict.operations())) {
      postponed.add(type.getQualifiedName().toString());
      return;
    }
    ClassDiagnostics findings = new ClassDiagnostics(type, processingEnv.getMessager());
    boolean isBase = type.getKind().isInterface() || Model.is(type, Modifier.ABSTRACT);
    boolean isHeir = standing == Standing.HEIR;
    verdict.findings().stream()
        .filter(each -> !(isBase || isHeir) || findings.isOwn(each))
        .filter(each -> !isHeir || !findings.isSuppressed(each))
        .forEach(each -> findings.report(isHeir ? withWayOut(each) : each));
    if (!verdict.operations().isEmpty()) {
      List<Planned<ExecutableElement>> written =
          verdict.operations().stream().filter(each -> !isHeir || findings.isOwn(each)).toList();
      new ValueCheck(model, findings).check(type, written);
    }
    watch.ifPresent(each -> each.watch(type, verdict.operations(), model));
    if (findings.isEmpty() && verdict.findings().isEmpty()) {
      emit(type, new TypeSource(type, model, verdict.operations()));
    }
  }

  private static Finding<ExecutableElement> withWayOut(Finding<ExecutableElement> finding) {
    return new Finding<>(
        finding.method(),
        finding.message() + " (if it is no replicated object: @SuppressWarnings(\"corfu\"))");
  }

  private static boolean namesUnknown(List<Planned<ExecutableElement>> operations) {
    return operations.stream()
        .map(Planned::method)
        .flatMap(
            method ->
                Stream.concat(
                    Stream.of(method.getReturnType()),
                    method.getParameters().stream().map(Element::asType)))
        .anyMatch(type -> type.getKind() == TypeKind.ERROR);
  }

  private void emit(TypeElement type, TypeSource source) {
    Optional<String> obstacle = source.obstacle();
    if (obstacle.isPresent()) {
      processingEnv
          .getMessager()
          .printMessage(
              Diagnostic.Kind.NOTE,
              "the object type of %s is made at run time: source beside it can't name %s"
                  .formatted(type.getQualifiedName(), obstacle.get()),
              type);
      return;
    }
    try (Writer out =
        processingEnv.getFiler().createSourceFile(source.qualifiedName(), type).openWriter()) {
      out.write(source.source());
    } catch (IOException e) {
      processingEnv
          .getMessager()
          .printMessage(
              Diagnostic.Kind.ERROR,
              "can't write %s: %s".formatted(source.qualifiedName(), e.getMessage()),
              type);
    }
  }
}
