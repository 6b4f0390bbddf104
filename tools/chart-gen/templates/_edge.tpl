{{/*
What the charts of the edge's apps need beside _common.tpl. Each says in its own _app.tpl:
  app.edge  YAML: kubeconfig, stampAnnotation, reports and retranslates, out of app.config
*/}}

{{- define "app.runs" -}}
yes
{{- end -}}

{{/* Not empty when the pods speak to the edge as their own service account. */}}
{{- define "edge.isHere" -}}
{{- if not (include "app.edge" . | fromYaml).kubeconfig }}yes{{ end -}}
{{- end -}}

{{/* By what rights differ: a name in files/rights.yaml. */}}
{{- define "edge.case" -}}
{{- with include "app.edge" . | fromYaml -}}
{{ if not .retranslates }}answering{{ else if .reports.envoyGatewayMetrics }}retranslating-metrics{{ else }}retranslating{{ end }}
{{- end -}}
{{- end -}}

{{/* A list, as YAML: what is wrong with values that both charts have. */}}
{{- define "edge.problems" -}}
{{- $problems := list -}}
{{- if not .Values.image.repository -}}
{{- $problems = append $problems "image.repository: say where your build pushes the image" -}}
{{- end -}}
{{- if and (not .Values.serviceAccount.create) (not .Values.serviceAccount.name) -}}
{{- $problems = append $problems "serviceAccount.name: name the account that is to be used" -}}
{{- end -}}
{{- if and (include "edge.isHere" .) .Values.rights.create -}}
{{- $truth := (.Files.Get "files/rights.yaml" | fromYaml).truthNamespace -}}
{{- /* Only where helm is connected to the cluster; there "default" is always to be seen. */ -}}
{{- if and (ne $truth .Release.Namespace) (lookup "v1" "Namespace" "" "default") (not (lookup "v1" "Namespace" "" $truth)) -}}
{{- $problems = append $problems (printf "this cluster has no Namespace %s, into which the hub sends how old its truth is; make it first: kubectl create namespace %s" $truth $truth) -}}
{{- end -}}
{{- end -}}
{{ toYaml $problems }}
{{- end -}}
