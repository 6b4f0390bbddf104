{{/* What any app's chart needs; nothing here knows the replicator. */}}

{{/* Release and chart in one name; short enough that what is hung on it stays a DNS label. */}}
{{- define "lifeline.fullname" -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if .Values.fullnameOverride -}}
{{ .Values.fullnameOverride }}
{{- else if contains $name .Release.Name -}}
{{ .Release.Name | trunc 47 | trimSuffix "-" }}
{{- else -}}
{{ printf "%s-%s" .Release.Name $name | trunc 47 | trimSuffix "-" }}
{{- end -}}
{{- end -}}

{{- define "lifeline.selectorLabels" -}}
app.kubernetes.io/name: {{ default .Chart.Name .Values.nameOverride }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "lifeline.labels" -}}
{{ include "lifeline.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/part-of: lifeline
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "lifeline.serviceAccountName" -}}
{{- default (include "lifeline.fullname" .) .Values.serviceAccount.name -}}
{{- end -}}

{{- define "lifeline.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}
{{ .repository }}@{{ .digest }}
{{- else -}}
{{ .repository }}:{{ default $.Chart.AppVersion .tag }}
{{- end -}}
{{- end -}}
{{- end -}}
